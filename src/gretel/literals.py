r"""Python's literals in the texts of strangers, read without a word of Python's parser to anybody.

It warns of escapes that are none (`"\d"`), of numbers that run into words (`1if 1else 2`) and of
octal escapes beyond a byte: on the terminal, or as an error, as whoever runs the program has set
it for all its threads.
"""

import ast
import re
from typing import Any

_TEXT = re.compile(
    r"""([A-Za-z]{0,2})((?P<open>\'{3}|"{3}|['"])(?:(?!(?P=open))(?:\\.|[^\\]))*+(?:(?P=open)|\Z))""",
    re.DOTALL,
)
"""To the end where it has none: so none is looked for twice."""
_ESCAPE = re.compile(r"\\([4-7][0-7]{2}|.)", re.DOTALL)
_KNOWN = frozenset("\n\\'\"abfnrtvx01234567")
_OF_TEXTS = frozenset("NuU")
_NO_LITERAL = re.compile(r"and|else|for|if|in|is|lambda|not|or|[#'\"]")
"""Words and signs of expressions, and of comments: between texts, no literal has them."""
_KINDS = frozenset({"", "u", "r", "b", "br", "rb"})


def read_literal(text: str) -> Any:
    """The value that a text writes as a Python literal; nothing in it is run.

    Raises:
        ValueError: it is no literal, or one that Python itself does not read.
    """
    if _NO_LITERAL.search(_TEXT.sub("", text)):
        raise ValueError("the text is no Python literal")
    try:
        return ast.literal_eval(_TEXT.sub(_quiet, text))
    except (TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("the text is no Python literal") from error


def _quiet(found: re.Match[str]) -> str:
    """A quoted text that says the same in escapes of which none is odd.

    Raises:
        ValueError: it is of a kind that no literal has.
    """
    kind, quoted = found[1].lower(), found[2]
    if kind not in _KINDS:
        raise ValueError("the text is no Python literal")
    if "r" in kind:
        return found[0]
    known = _KNOWN if "b" in kind else _KNOWN | _OF_TEXTS

    def escape(each: re.Match[str]) -> str:
        if len(each[1]) > 1:  # an octal number, of which a byte keeps the last eight bits
            code = int(each[1], 8)
            return f"\\x{code & 0xFF:02x}" if "b" in kind else f"\\u{code:04x}"
        return each[0] if each[1] in known else f"\\{each[0]}"

    return found[1] + _ESCAPE.sub(escape, quoted)
