"""Bytes of an answer as text, piece by piece: one call that decodes all stops everybody else."""

import codecs
import encodings
from collections.abc import Iterator
from encodings.aliases import aliases
from pkgutil import iter_modules

_CHARSETS = ("utf", "iso8859", "cp", "ascii", "koi8", "gb", "big5", "euc", "shift_jis")
"""Beginnings of the character sets that are believed; Python has codecs that are no charsets."""
_CODECS = {name: name for _, name, _ in iter_modules(encodings.__path__)} | aliases
"""The codecs that Python has, by all that they are called, as it writes these names."""
_SLOW = "utf-7"
"""What is begun in it and never ends is read anew with each piece; browsers do not read it."""
_LONGEST_CHARSET = 20
_BIG_ENDIAN = {"utf-16": codecs.BOM_UTF16_BE, "utf-32": codecs.BOM_UTF32_BE}
"""How a text of either kind begins that says so; another one is little-endian."""
_PIECE = 65_536
"""Bytes, or characters, that are turned at once: what is broken in each of them takes a microsecond
to replace, and holds the interpreter as long."""


def text_of(content: bytes, content_type: str) -> str:
    """`content` as text: in its declared character set, else UTF-8; broken bytes are replaced."""
    charset = "utf-8"
    for part in content_type.split(";")[1:]:
        name, _, value = part.strip().partition("=")
        if name.lower() == "charset":
            charset = _believed(value.strip("\"' "))
    return "".join(_decoded(content, charset)).removeprefix("\ufeff")


def sound(text: str) -> str:
    """`text` with the replacement character for halves of characters."""
    return "".join(
        piece.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        for piece in _pieces(text)
    )


def _decoded(content: bytes, charset: str) -> Iterator[str]:
    if charset in _BIG_ENDIAN:
        charset += "-be" if content.startswith(_BIG_ENDIAN[charset]) else "-le"
    decoder = codecs.getincrementaldecoder(charset)(errors="replace")
    for start in range(0, len(content), _PIECE):
        yield decoder.decode(content[start : start + _PIECE])
    yield decoder.decode(b"", final=True)


def _pieces(text: str) -> Iterator[str]:
    """`text` in pieces, none of which ends between two halves of a character."""
    start = 0
    while start < len(text):
        end = start + _PIECE
        end += "\ud800" <= text[end - 1 : end] <= "\udbff"
        yield text[start:end]
        start = end


def _believed(charset: str) -> str:
    """Python's name of a character set, or utf-8 for what is none.

    Only names of those that there are, in one writing, are looked up: Python remembers each name,
    of what is none too, for good.
    """
    if len(charset) > _LONGEST_CHARSET or not charset.isascii():
        return "utf-8"
    called = encodings.normalize_encoding(charset.lower())
    codec = _CODECS.get(called) or _CODECS.get(called.replace(".", "_"))
    try:
        name = codecs.lookup(codec).name if codec else ""
    except LookupError:  # of another system
        return "utf-8"
    return name if name.startswith(_CHARSETS) and name != _SLOW else "utf-8"
