"""
Which of the old encodings a source file is written in, by how its letters fit.

Comments in code are short, and the statistics of general detectors need more
text than a line: they read GBK as Korean, and the degree sign of ``25°C`` as half
a Chinese character.  Here every candidate reads the lines that are not ASCII, and
each word or character beyond ASCII is weighed, from -1 to 1, by what the people
who used that encoding did and did not write.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

__all__ = ["guess"]

_CERTAIN = 0.45
"""
Mean weight up to which nobody should rely on the guess.

Of 90 comments and questions in 13 encodings the right reading weighs 0.5 and
more; of encodings that are no candidates most weigh less.
"""

_SAMPLE = 20_000
"""Bytes of lines beyond ASCII that are enough to decide."""

_SYMBOLS = frozenset("°©®™§µ£€¥«»“”„‘’‚–—…·•±²³¹¼½¾×÷¿¡ªº¢¶\xa0№†‰")

_CHINESE = frozenset(
    "的一是不了在有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天"
    "用户数据文件函返回值参错误配置接口类型方法象测试注释初始化登录密码请求响应处理检查创建删除修改查询更新添加列表名称"
    "字符串网络连服务器信息内容使如果则当前所需通设默认否存加载显示输入界面按钮单位开关结束循环条第种本作程序行"
    "數據檔案員陣從這個時間回傳錯誤設類別變為無會應對話開啟關閉輸請與測試實現說明備註單元將該當後來們過體電腦資料"
)
"""Characters of everyday comments, simplified and traditional."""

_KOREAN = frozenset(
    "이다는의가을를에지고하로사기리은어한시자서나도인대스아일해정주보트수제파그들면있없와과으만전라구현성부여장"
    "데터값열행함류객체테오실생동작원용입력출호환반설명추삭경변등록록증확네워크요청응답처조건본문글름계산간된됨할합니습"
)
"""Syllables of everyday Korean and of comments."""


def guess(data: bytes) -> tuple[str, str] | None:
    """The text and the name of its encoding; None where no candidate fits well."""
    sample = _telling_lines(data)
    weights = {encoding: _weight(sample, encoding) for encoding in _CANDIDATES}
    best = max(weights, key=weights.__getitem__)  # the first among equals
    if weights[best] <= _CERTAIN:
        return None
    try:
        return data.decode(best), best
    except UnicodeDecodeError:  # further down it is something else, so the first part may be too
        return None


def _telling_lines(data: bytes) -> bytes:
    """The first lines with a byte beyond ASCII."""
    lines: list[bytes] = []
    length = 0
    for line in data.split(b"\n"):
        if not line.isascii():
            lines.append(line)
            length += len(line)
            if length > _SAMPLE:
                break
    return b"\n".join(lines)


def _weight(sample: bytes, encoding: str) -> float:
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return -1.0
    weights = list(_CANDIDATES[encoding](text))
    return sum(weights) / len(weights) if weights else -1.0


_WORD = re.compile(r"(?:[^\W\d_²³¹¼½¾])+")
_SYMBOL = re.compile(r"[^\w\x00-\x7f]|[²³¹¼½¾]")
_BEYOND = re.compile(r"[^\x00-\x7f]")


def _by_words(weigh: Callable[[str], float]) -> Callable[[str], Iterator[float]]:
    """One weight for each word with a letter beyond ASCII, and for each symbol."""

    def weights(text: str) -> Iterator[float]:
        for word in _WORD.findall(text):
            if not word.isascii():
                yield weigh(word)
        for match in _SYMBOL.finditer(text):
            start, end = match.span()
            yield _weigh_symbol(match.group(), text[max(start - 1, 0) : start], text[end : end + 1])

    return weights


def _weigh_symbol(symbol: str, before: str, after: str) -> float:
    if symbol in "¹²³" and after.isalpha():
        return -1.0
    if symbol not in _SYMBOLS or (before.isalpha() and after.isalpha() and symbol not in "’·"):
        return -1.0
    return 1.0 if (before + after).isascii() else 0.0


def _latin(usual: str, seldom: str = "") -> Callable[[str], Iterator[float]]:
    """Single letters among ASCII ones; a word full of them belongs to another alphabet."""
    weight = {c: w for s, w in ((seldom, 0.4), (usual, 1.0)) for c in s + s.upper()}

    def weigh(word: str) -> float:
        beyond = [c for c in word if c > "\x7f"]
        if len(word) > 3 and 2 * len(beyond) > len(word) + 1:
            return -0.5
        if _has_lone_capital(word):
            return -1.0
        mean = sum(weight.get(c, -1.0) for c in beyond) / len(beyond)
        return mean * 0.6 if len(word) == 1 else mean

    return _by_words(weigh)


def _has_lone_capital(word: str) -> bool:
    """``cafŽ``, but not ``getÉtat`` or ``ÉTÉ``."""
    triples = zip(word, word[1:], f"{word[2:]} ", strict=False)
    return any(
        a.islower() and b > "\x7f" and b.isupper() and not c.islower() for a, b, c in triples
    )


def _alphabet(first: str, last: str, more: str = "") -> Callable[[str], Iterator[float]]:
    """Words of one other alphabet; read wrongly they mix alphabets or swap capitals."""

    def weigh(word: str) -> float:
        if not all(first <= c <= last or c in more for c in word):
            return -1.0
        if word.islower() or word.istitle():
            return 1.0 if len(word) > 1 else 0.4
        return 0.7 if word.isupper() else -1.0

    return _by_words(weigh)


def _by_characters(weigh: Callable[[str], float]) -> Callable[[str], Iterator[float]]:
    return lambda text: map(weigh, _BEYOND.findall(text))


def _level(character: str, encoding: str) -> int:
    """The lead byte of a double-byte character; 0 where there is none."""
    try:
        raw = character.encode(encoding)
    except UnicodeEncodeError:
        return 0
    return raw[0] if len(raw) == 2 else 0


def _is_wide_sign(character: str) -> bool:
    return "\u3000" <= character <= "\u303f" or "\uff01" <= character <= "\uff5e"


def _simplified(character: str) -> float:
    # GB 2312 keeps its 3,755 everyday characters before lead byte 0xD8.
    lead = _level(character, "gb2312")
    if character in _CHINESE:
        return 1.0
    if 0xB0 <= lead < 0xD8 or _is_wide_sign(character):
        return 0.6
    # Arrows, frames and stars, of which comments in Chinese are fond.
    is_sign = unicodedata.category(character)[0] in "SP"
    return 0.5 if is_sign and 0xA1 <= _level(character, "gbk") < 0xAA else -0.5


def _traditional(character: str) -> float:
    # Big5 keeps its 5,401 everyday characters before lead byte 0xC7.
    lead = _level(character, "big5")
    if character in _CHINESE:
        return 1.0
    return 0.6 if 0xA4 <= lead < 0xC7 or _is_wide_sign(character) else -0.5


def _korean(character: str) -> float:
    if character in _KOREAN:
        return 1.0
    if 0xB0 <= _level(character, "euc_kr") < 0xC9:
        return 0.5
    return 0.3 if _is_wide_sign(character) else -1.0


def _japanese(character: str) -> float:
    if "\u3041" <= character <= "\u30ff":
        return 1.0
    # JIS X 0208 keeps its 2,965 everyday characters before lead byte 0x98.
    everyday = 0x88 <= _level(character, "shift_jis") < 0x98
    return 0.65 if everyday or _is_wide_sign(character) else -0.5


_CENTRAL = "ąćęłńóśźżáčďéěíňřšťúůýžöüőűäăâîşţß"

_CANDIDATES: dict[str, Callable[[str], Iterator[float]]] = {
    "latin-1": _latin("àáâãäåæçèéêëìíîïñòóôõöøùúûüßµªº", "ðþýÿ"),
    "cp1252": _latin("àáâãäåæçèéêëìíîïñòóôõöøùúûüßœµªº", "ðþýÿšž"),
    "gb18030": _by_characters(_simplified),
    "cp949": _by_characters(_korean),
    "cp932": _by_characters(_japanese),
    "euc_jp": _by_characters(_japanese),
    "big5": _by_characters(_traditional),
    "cp1251": _alphabet("А", "я", "ЁёІіЇїЄєҐґЎў"),
    "koi8_r": _alphabet("А", "я", "Ёё"),
    "cp1254": _latin("çğıöşüâîûİ", "àáäåèéêëìíñòóôùúß"),
    "cp1250": _latin(_CENTRAL, "çëôľŕĺđ"),
    "iso8859_2": _latin(_CENTRAL, "çëôľŕĺđ"),
    "cp1253": _alphabet("\u0386", "\u03ce"),
}
"""Encoding -> the weights of a text read in it; among equals the first one wins."""
