"""
From a comment as it stands in a file to the sentences a person would ask with.

Markers, tags, parameter lists and markup go; what remains is prose, cut at sentence ends.
"""

from __future__ import annotations

import re

__all__ = ["is_prose_line", "name_words", "plain", "sentences"]

_MARKER = re.compile(
    r"^\s*(?:///?!?|//!|/\*\*?!?|\*+/|\*(?!\*)|#:?!?|--\[=*\[|\]=*\]|---?(?=\s|\||\^|@|$|\w)|"
    r"\{-[|#]?|-\}|;+|%+|\"\"\"|''')+",
)
_TAIL = re.compile(r"\s*(?:\*+/|-\}|\]=*\]|\"\"\"|''')\s*$")
_STOP = re.compile(
    r"^\s*(?:@(?!code|link|literal|brief|short|summary|description|desc|note|details)\w+"
    r"|[\\](?!brief|short|note|details)(param|tparam|return|returns|throws|see|sa|since|ingroup|"
    r"defgroup|addtogroup|file|author|date|version|pre|post|retval|code|tparam)\b"
    r"|:(param|type|return|returns|rtype|raises|keyword|arg|ivar|cvar|var|meth)\b"
    r"|-\s*(Parameters?|Returns|Throws|Note|Warning|Important|SeeAlso|Since)\b"
    r"|(Args|Arguments|Parameters|Params|Returns?|Raises|Yields|Examples?|Usage|Options|Inputs?|"
    r"Outputs?|Attributes|Notes?|See [Aa]lso|References|Side effects?|Globals|Outputs?|Throws|"
    r"Errors|Panics|Safety|Complexity|Todo|Methods|Warnings?|Exported|Signature)\s*:{0,2}\s*$"
    r"|#+\s|={3,}|-{3,}|\.\.\s+\w[\w-]*::|```|~~~|\{\{\{|>>>|\$\s|iex>|prop>"
    r"|<(param|returns|remarks|exception|example|typeparam|seealso|code|value|inheritdoc)\b"
    r"|(SPDX-|Copyright|Licensed under|vim:|eslint|tslint|prettier|@ts-|istanbul|noqa|pylint|"
    r"nolint|go:|\+build|NOLINT|clang-format|swiftlint|rubocop|shellcheck|ktlint-|credo:|swift-tools|luacheck|stylua|@diagnostic|region|endregion))",
    re.IGNORECASE,
)
_SEE = re.compile(
    r"<(?:see|paramref|typeparamref|seealso)\s+\w+=\"(?:\w:)?([^\"]*)\"\s*/?>(?:</see>)?"
)
_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,80}>")
_LINK = re.compile(r"\{@(?:link|linkplain|code|literal|value)\s+([^{}]*)\}")
_ROLE = re.compile(r":[\w:+-]+:`~?([^`<]*?)(?:\s*<[^`]*>)?`")
_MD_LINK = re.compile(r"!?\[([^\]\[]*)\](?:\([^)]*\)|\[[^\]]*\])")
_URL = re.compile(r"(?:https?|ftp)://\S+")
_TICKS = re.compile(r"[`´]+")
_DOXY = re.compile(
    r"[@\\](?:brief|short|summary|description|desc|details|note|p|c|ref|em|a|b|e)\b:?"
)
_ENTITY = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&nbsp;": " "}
_SCALA_LINK = re.compile(r"\[\[([^\]\s]*)(?:\s+([^\]]*))?\]\]")
_END = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.)(?<!cf\.)[\"')]*\s+(?=[A-Z\"'(`])"
)
_SPACES = re.compile(r"\s+")
_CODEY = re.compile(
    r"[;{}]\s*$|^\s*(if|for|while|return|var|let|const|val|def|local|end|else|import|print\w*|"
    r"switch|case|break|continue|public|private|static|throw|assert\w*)\b[^.]*[(=;:{\[]|"
    r"\w\(\)?[^)]*\)[;,]?\s*$|^\s*[\w.\[\]]+\s*(=|:=|\+=|->|<-)\s*\S|=>\s*\S|^\s*[@#$<\[{}(|&]"
)
_CODEY = re.compile(_CODEY.pattern + r"|\s(<>|\$|::|=>|:=|&&|\|\||<-|<\$>|>>=|==)\s")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def _lines(text: str) -> list[str]:
    """A comment's lines without their markers, up to the first tag or list of parameters."""
    kept: list[str] = []
    for line in text.split("\n"):
        bare = _TAIL.sub("", _MARKER.sub("", line, count=1)).strip()
        bare = re.sub(r"^[|^*]\s*|^>\s(?!>)", "", bare)
        bare = re.sub(r"</?(summary|para|p|remarks)/?>", " ", bare).strip()
        if _STOP.match(bare):
            if any(kept):
                break
            continue
        kept.append(bare)
    return kept


def plain(text: str) -> str:
    """Inline markup reduced to the words it shows."""
    text = _SEE.sub(lambda m: m.group(1).rsplit(".", 1)[-1], text)
    text = _LINK.sub(lambda m: m.group(1).split("#")[-1], text)
    text = _SCALA_LINK.sub(lambda m: m.group(2) or m.group(1).rsplit(".", 1)[-1], text)
    text = _ROLE.sub(lambda m: m.group(1).rsplit(".", 1)[-1], text)
    text = _MD_LINK.sub(r"\1", text)
    text = _URL.sub("", _TAGS.sub(" ", _DOXY.sub("", text)))
    for entity, char in _ENTITY.items():
        text = text.replace(entity, char)
    text = re.sub(r"\[(`[^`\]]+`|[\w.:#]+)\]", r"\1", text)
    text = re.sub(r"(?<![\w/])/(\w[^/\n]{0,40}\w)/(?![\w/])", r"\1", text)
    text = re.sub(r"(?<!\w)[*_]{1,2}([^*_\n]+)[*_]{1,2}(?!\w)", r"\1", text)
    return re.sub(r" (?=[.,;:)](?:\s|$))", "", _SPACES.sub(" ", _TICKS.sub("", text))).strip()


def sentences(comment: str, *, limit: int = 300) -> list[str]:
    r"""
    The sentences of a comment, in order, none over ``limit`` characters.

    >>> sentences("/** Returns the {@link Foo}, if any. Else {@code null}.\n * @param x it */")
    ['Returns the Foo, if any.', 'Else null.']
    """
    paragraphs: list[str] = []
    current: list[str] = []
    for line in [*_lines(comment), ""]:
        ends = not line or re.match(r"([-*+•]|\d+[.)])\s", line)
        if ends and current:
            paragraphs.append(" ".join(current))
            current = []
        if line:
            current.append(re.sub(r"^([-*+•]|\d+[.)])\s+", "", line))
    if current:
        paragraphs.append(" ".join(current))
    found = [
        part.strip(" -*=#/\\|:;,")
        for paragraph in paragraphs
        for part in _END.split(plain(paragraph))
    ]
    return [
        part if len(part) <= limit else part[:limit].rsplit(" ", 1)[0] for part in found if part
    ]


def is_prose_line(text: str, *, letters: float = 0.82) -> bool:
    """
    Whether a comment's text reads as prose rather than as code that was switched off.

    >>> is_prose_line("retry once more when the peer hung up"), is_prose_line("x = call(y);")
    (True, False)
    """
    plain_ones = sum(c.isalpha() or c.isspace() for c in text)
    return plain_ones >= letters * len(text) and not _CODEY.search(text)


def name_words(name: str) -> list[str]:
    """
    The words of an identifier.

    >>> name_words("parseHTTPHeader_v2")
    ['parse', 'http', 'header', 'v', '2']
    """
    return [word.lower() for word in _CAMEL.findall(name)]
