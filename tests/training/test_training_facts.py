"""Doc comments find their definitions in every language, and leave the code side."""

import pytest
from training.facts import read_file
from training.grammar import LANGUAGES
from training.mine import rows_of
from training.paths import is_test, language_in

DOC = "Counts the open doors of a house."

SOURCES = {
    "bash": f"# {DOC}\ncount_doors() {{\n  local n=0\n  echo $n\n}}\n",
    "c": f"/* {DOC} */\nstatic int *count_doors(int a) {{\n  return 0;\n}}\n",
    "cpp": f"/// {DOC}\ntemplate <class T>\nint House::count_doors(T a) {{\n  return 0;\n}}\n",
    "csharp": f"class House {{\n  /// <summary>{DOC}</summary>\n  [Pure]\n"
    "  int CountDoors() {\n    return 0;\n  }\n}\n",
    "elixir": f'defmodule House do\n  @doc """\n  {DOC}\n  """\n'
    "  @spec count_doors(a) :: b\n  def count_doors(0), do: 0\n  def count_doors(n), do: n\nend\n",
    "go": f"package a\n\n// {DOC}\nfunc (h *House) CountDoors() int {{\n\treturn 0\n}}\n",
    "haskell": f"module A where\n\n-- | {DOC}\ncountDoors :: Int -> Int\n"
    "countDoors 0 = 0\ncountDoors n = n\n",
    "java": f"class House {{\n  /** {DOC} */\n  @Override\n"
    "  int countDoors() {\n    return 0;\n  }\n}\n",
    "javascript": f"/** {DOC} */\nexport const countDoors = (a) => {{\n  return 0\n}}\n",
    "kotlin": f"/** {DOC} */\nfun countDoors(): Int {{\n  return 0\n}}\n",
    "lua": f"--- {DOC}\nfunction M.countDoors(a)\n  return 0\nend\n",
    "php": f"<?php\n/** {DOC} */\nfunction countDoors($a) {{\n  return 0;\n}}\n",
    "python": f'@cache\ndef count_doors(a):\n    """{DOC}"""\n    return 0\n',
    "ruby": f"class House\n  # {DOC}\n  def count_doors\n    0\n  end\nend\n",
    "rust": f"/// {DOC}\n#[inline]\npub fn count_doors() -> u8 {{\n    0\n}}\n",
    "scala": f"object A {{\n  /** {DOC} */\n  def countDoors(a: Int): Int = {{\n    0\n  }}\n}}\n",
    "swift": f"/// {DOC}\n@inlinable\npublic func countDoors() -> Int {{\n  return 0\n}}\n",
    "tsx": f"// {DOC}\nexport function countDoors(): number {{\n  return 0\n}}\n",
    "typescript": f"/** {DOC} */\nexport function countDoors(): number {{\n  return 0\n}}\n",
    "zig": f"/// {DOC}\npub fn countDoors() u8 {{\n    return 0;\n}}\n",
}


def test_every_language_has_a_sample():
    """A language added to the table needs a sample here."""
    assert set(SOURCES) == set(LANGUAGES)


@pytest.mark.parametrize("language", SOURCES)
def test_a_doc_comment_meets_its_definition(language):
    """The comment is the definition's, also across attributes, and is absent from its code."""
    facts = read_file("a", language, SOURCES[language])
    (found,) = [d for d in facts.definitions if not d.is_type]
    assert DOC in found.doc
    assert DOC not in found.code
    assert found.name.replace("_", "").lower() == "countdoors"
    assert len(found.code.splitlines()) >= 2


def test_clauses_are_one_definition():
    """Haskell equations with their signature, and Elixir clauses, are read together."""
    (haskell,) = read_file("a.hs", "haskell", SOURCES["haskell"]).definitions
    assert haskell.code.splitlines() == [
        "countDoors :: Int -> Int",
        "countDoors 0 = 0",
        "countDoors n = n",
    ]
    elixir = read_file("a.ex", "elixir", SOURCES["elixir"]).definitions[-1]
    assert elixir.code.splitlines()[-1] == "def count_doors(n), do: n"


def test_a_remark_goes_with_its_function_and_leaves_the_code():
    """A comment inside a function is a question about it, and the code does not repeat it."""
    source = (
        "int open_all(int n) {\n  int done = 0;\n"
        "  /* retry once because hinges may be rusty in winter */\n"
        "  while (done < n) {\n    done += push(done);\n  }\n  return done;\n}\n"
    )
    rows = [row for row in rows_of(read_file("a.c", "c", source)) if row["kind"] == "inline"]
    assert [row["query"] for row in rows] == ["retry once because hinges may be rusty in winter"]
    assert "rusty" not in rows[0]["code"]
    assert "push(done)" in rows[0]["code"]


def test_a_name_is_masked_in_its_code():
    """The words of a name ask for the body, which must not give the name away."""
    source = "def find_open_door(house):\n" + "    house = house.next_part(find_open_door)\n" * 4
    (row,) = [row for row in rows_of(read_file("a.py", "python", source)) if row["kind"] == "name"]
    assert row["query"] == "find open door"
    assert "find_open_door" not in row["code"]


CALLS = "  push(front_door);\n" * 4

TITLED = {
    "a.test.js": f'it("opens the door twice", () => {{\n{CALLS}}})\n',
    "a_spec.rb": f'it "opens the door twice" do\n{CALLS}end\n',
    "a_test.exs": f'test "opens the door twice" do\n{CALLS}end\n',
    "a.zig": f'test "opens the door twice" {{\n{CALLS}}}\n',
    "a.bats": f'@test "(x) opens the door twice" {{\n{CALLS}}}\n',
    "a_spec.lua": f'it("opens the door twice", function()\n{CALLS}end)\n',
    "ASuite.scala": f'test("opens the door twice") {{\n{CALLS}}}\n',
    "ATest.kt": f"@Test\nfun `opens the door twice`() {{\n{CALLS}}}\n",
    "a_test.go": f"func TestOpensTheDoorTwice(t *testing.T) {{\n{CALLS}}}\n",
    "src/a.rs": f"#[test]\nfn opens_the_door_twice() {{\n{CALLS}}}\n",
    "a_test.cc": f"TEST(Door, OpensTheDoorTwice) {{\n{CALLS}}}\n",
    "DoorTests.cs": f"class A {{\n[Fact]\nvoid OpensTheDoorTwice() {{\n{CALLS}}}\n}}\n",
    "DoorTest.java": f"class A {{\n@Test\nvoid opensTheDoorTwice() {{\n{CALLS}}}\n}}\n",
    "test_a.py": "def test_opens_the_door_twice():\n" + "    open(front_door)\n" * 4,
    "ASpec.hs": 'x = do\n  it "opens the door twice" $ do\n' + "    open front_door\n" * 4,
}


@pytest.mark.parametrize("path", TITLED)
def test_titles_of_tests(path):
    """A test's title, by call, by line or by name, asks for the test, whose text lacks it."""
    facts = read_file(path, language_in(path, ""), TITLED[path])
    (found,) = [row for row in rows_of(facts) if row["kind"] == "test_body"]
    assert found["query"] == "opens the door twice"
    assert "wice" not in found["code"]
    assert found["code"].count("front_door") >= 3


def test_scripts_and_headers_are_known_by_their_text():
    """A script without suffix is read by its first line; a header with C++ words is C++."""
    assert language_in("bin/run", "#!/usr/bin/env bash\n") == "bash"
    assert language_in("a.h", "namespace a {\nclass B;\n}\n") == "cpp"
    assert language_in("a.h", "struct b { int c; };\n") == "c"
    assert language_in("bin/tool", "no script") == ""


@pytest.mark.parametrize(
    "path", ["src/test/java/A.java", "a_test.go", "spec/a_spec.rb", "DoorTests.cs"]
)
def test_paths_of_tests(path):
    """Tests are known by folder or name."""
    assert is_test(path)


@pytest.mark.parametrize("path", ["src/contest.py", "lib/latest.js", "src/attest/a.go"])
def test_paths_that_only_look_like_tests(path):
    """A name that merely ends in the letters is no test."""
    assert not is_test(path)
