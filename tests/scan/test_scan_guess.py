"""Short comments in old encodings."""

import pytest

from fiuto.scan.guess import guess

SAMPLES = {
    "latin-1": [
        "def café_handler():\n    return 1\n",
        "# größe der straße\nclass Größe:\n    def über(self): pass\n",
        "/* Copyright © 2010 M. Müller */\nint main(void) { return 0; }\n",
        "temp = 25 # 25°C\n",
        "price = '£5'\n",
        "# 10 µs ± 5%\n",
        "# é\n",
        "# Ångström Øre Æble åäö\n",
        "# § 5 Abs. 2\n",
        "# señor José Núñez\n",
        "// Renè Descartes à Noël, où?\nint x;\n",
        "# «citation» à la française, x²\n",
    ],
    "cp1252": ["# it’s “quoted” – naïve\nx = 1\n", "/* don’t */\n", "€ = 5\n"],
    "gbk": [
        "# 求职者登录接口\ndef login():\n    pass\n",
        "// 计算两点之间的距离\nint dist(int a) { return a; } // 返回值\n",
        "/* 用户登录失败时返回错误码 */\nint e;\n",
        "# 注释\n",
        "s = '你好'\n",
        "// 文件: 测试\n",
        "# 打印时如何事先估计需要预留多少输出内存？\n",
        "/**** ▲ 栈和队列 ****/\n// 宏的定义 ▲▲\nint n; // ×2 → √\n",
        "图的类型→1（有向图）\n顶点数→8\n◤ABCDEFGH◢\n弧→◤A，B◢◤B，C◢◤C，A◢◤A，D◢\n",
    ],
    "big5": ["# 這是一個繁體中文的註解\ndef f(): pass\n", "// 使用者登入\n", "# 測試\n"],
    "shift_jis": ["# 日本語のコメントです\n", "// ユーザー認証を行う\n", "# 処理\n"],
    "euc_jp": ["# 日本語のコメントです\n", "# テスト\n"],
    "euc_kr": ["# 한국어 주석입니다\n", "# 테스트\n", "// 사용자 인증\n"],
    "cp1251": ["# файл\n", "# Проверка входа пользователя в систему\n", "ИМЯ = 'Иван'\n"],
    "koi8_r": ["# файл\n", "# Привет, это комментарий\ndef f(): pass\n"],
    "cp1250": ["# Příliš žluťoučký kůň\n", "# gęś łódź Žižka\n", "# Zażółć gęślą jaźń\n"],
    "iso8859_2": ["# Příliš žluťoučký kůň\n", "# Zażółć gęślą jaźń\n"],
    "cp1253": ["# Αυτό είναι ένα σχόλιο\n", "# δοκιμή\n"],
    "cp1254": ["# şifre yanlış, güneş ışığı\n"],
}


@pytest.mark.parametrize(
    ("encoding", "text"), [(e, text) for e, texts in SAMPLES.items() for text in texts]
)
def test_samples(encoding, text):
    """Each comes out as it was written (case 9)."""
    found = guess(text.encode(encoding))
    assert found is not None
    assert found[0] == text


def test_no_guess_where_nothing_fits():
    """Bytes that make sense in no candidate."""
    assert guess("# café crème à la française\n".encode("mac_roman")) is None


def test_rest_of_the_file_must_decode_too():
    """The lines that decide come first; the whole must be readable in that encoding."""
    text = "# файл пользователя\n" * 2000
    assert guess(text.encode("cp1251")) == (text, "cp1251")
    assert guess(text.encode("cp1251") + b"\x98\n") is None
