"""The one way of others' words into a record, a prompt, a log, a page or a terminal.

One order, always: decode, clean, redact, cap. What is cut or joined before secrets are looked for
hides them, and what is cleaned after that shows them again.
"""

import re
from hashlib import sha256
from threading import Lock
from typing import cast

from gretel.text.invisible import beginning, clean, is_visible
from gretel.text.redact import known_redacted, redacted, shapes_masked
from gretel.text.secret_shapes import MASK

SENTENCE = 2_000
"""Characters of a sentence of our own, with the names and words of others that stand in it."""
EXCERPT_BYTES = 2_048
PASSAGE = 8_000
"""Characters of what a model writes for a person."""

_WINDOW = 8_192
"""Characters of a long text that are searched beside those that are shown, invisible ones aside:
what is masked gets shorter."""
_AT_A_CUT = 400
"""Characters before a cut that are not shown: only its end would say that a number is a card's, or
that a word is a login."""
_ENOUGH = 5
"""Times what is shown: who cuts so long a text, however he does, does it within what nobody sees,
but where blanks and masks take up most of it."""
_UNPARTED = re.compile(r"[^\s\"'<>]*")
_MARKS_A_CUT = "…"
_LEFT_OUT = "\n[… left out …]\n"
_MOST = 32_768
_shown: dict[bytes, None] = {}
"""Digests of the last `_MOST` texts that are redacted excerpts already, oldest first: a record is
read again by each step that its state comes to, on the event loop, where some hundred excerpts
would hold it for seconds. So those of many runs are known."""
_lock = Lock()


def one_line(text: str, limit: int = SENTENCE) -> str:
    """A sentence of our own, or a name: cleaned, in one line of at most `limit` characters."""
    return _capped(" ".join(_beginning(text, limit + 2, squeezed=True)[0].split()), limit)


def sentence(text: str) -> str:
    """What an error says: a sentence of our own, which may repeat a key that somebody typed in a
    wrong place. Its words name secrets as they are, and so only a key's own shape is masked.
    """
    seen = _beginning(text, SENTENCE + _WINDOW, squeezed=True)[0]
    return _capped(" ".join(shapes_masked(seen).split()), SENTENCE)


def printable(text: str) -> str:
    """A line of ours for a terminal: as `one_line`, with its blanks as they are."""
    return _capped(re.sub(r"[\n\t]", " ", clean(text)), SENTENCE)


def foreign(text: str, limit: int) -> str:
    """Words of others for a record, a log or an error: one line of at most `limit` characters.

    They may be a part of what was said, that ends within a secret: what stands at the end of a text
    that is long is not shown.
    """
    start, was_cut = _beginning(text, limit + _WINDOW, squeezed=True)
    start, was_cut = start.strip(), was_cut or len(text) >= _ENOUGH * limit + _AT_A_CUT
    whole = start.removesuffix(_MARKS_A_CUT)
    kept = _before(redacted(whole, was_cut=True), was_cut) + start[len(whole) :]
    return _capped(" ".join(kept.split()), limit)


def words_of(text: str, limit: int) -> str:
    """Words of others that are to be judged, lines as they are: without the secrets that we sent.

    What only looks like a secret may be a value that they name.
    """
    start, was_cut = _beginning(text.strip(), limit + _WINDOW, squeezed=False)
    return known_redacted(start, was_cut=was_cut)[:limit].strip()


def excerpt(text: str) -> str:
    """The redacted beginning of an answer, lines as they are, of at most 2,048 bytes in UTF-8."""
    short = len(text) <= EXCERPT_BYTES
    if short and _digest(text) in _shown and known_redacted(text, was_cut=False) == text:
        return text
    start, was_cut = _beginning(text, _WINDOW, squeezed=False)
    kept = _before(redacted(start, was_cut=was_cut, headers=True), was_cut)
    return _remembered(kept.encode(errors="replace")[:EXCERPT_BYTES].decode(errors="ignore"))


def passage(text: str) -> str:
    """What a model writes for a person: lines as they are, redacted, of at most `PASSAGE`."""
    start, was_cut = _beginning(text, PASSAGE + _WINDOW, squeezed=False)
    kept = _before(redacted(start, was_cut=was_cut), was_cut).strip()
    return kept if len(kept) <= PASSAGE else f"{kept[: PASSAGE - 1]}{_MARKS_A_CUT}"


def both_ends(text: str) -> str:
    """The redacted beginning and end of an answer, in `EXCERPT_BYTES`: it is cut in its middle.

    A secret may reach over the place where reading of a long text's end begins. One that is known
    is found there by its end; for all others the first half of `_WINDOW` of what is read there is
    not shown, however little of the rest can be seen.
    """
    half, read = EXCERPT_BYTES // 2 - len(_LEFT_OUT), EXCERPT_BYTES // 2 + _WINDOW
    whole, was_cut = _beginning(text, 2 * read, squeezed=False)
    if not was_cut:
        seen = redacted(whole, was_cut=False, headers=True).encode(errors="replace")
        if len(seen) <= EXCERPT_BYTES:
            return seen.decode()
        start = end = seen
    else:
        last = _behind_a_cut(_end(text, read))
        first = _before(redacted(whole[:read], was_cut=True, headers=True), was_cut)
        start = first.encode(errors="replace")
        end = last.encode(errors="replace")
    ends = (start[:half].decode(errors="ignore"), end[-half:].decode(errors="ignore"))
    return _remembered(_LEFT_OUT.join(ends))


def _before(kept: str, was_cut: bool) -> str:
    """What was redacted, without what stands at its cut; a mask there is one of a secret's."""
    if not was_cut:
        return kept
    masked = kept.rfind(MASK)
    return kept[: max(len(kept) - _AT_A_CUT, masked + len(MASK) if masked >= 0 else 0)]


def _behind_a_cut(read: str) -> str:
    """The redacted end of a long text: without what may be a secret's end, whose name, or
    beginning, stands before what is read. One that nothing parts may be of any length.
    """
    begun = cast(re.Match[str], _UNPARTED.match(read)).end()
    if begun > _WINDOW // 2:
        return redacted(read[begun:], was_cut=False, headers=True)
    return redacted(read, was_cut=False, starts_cut=True, headers=True)[_WINDOW // 2 :]


def _remembered(made: str) -> str:
    with _lock:
        _shown[_digest(made)] = None
        while len(_shown) > _MOST:
            del _shown[next(iter(_shown))]
    return made


def _digest(text: str) -> bytes:
    return sha256(text.encode(errors="surrogatepass")).digest()


def escaped(written: str, encoding: str = "utf-8") -> str:
    """JSON that holds nothing invisible, and nothing that `encoding` has not: each such character
    is written as its escape.
    """
    if written.isascii() and "\x7f" not in written:
        return written
    hidden = {char for char in set(written) if char != "\n" and not _is_shown(char, encoding)}
    return written.translate({ord(char): _escape(char) for char in hidden})


def _is_shown(char: str, encoding: str) -> bool:
    return is_visible(char) and bool(char.encode(encoding, "ignore"))


def _escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _capped(line: str, limit: int) -> str:
    return line if len(line) <= limit else f"{line[: limit - 1]}{_MARKS_A_CUT}"


def _beginning(text: str, size: int, *, squeezed: bool) -> tuple[str, bool]:
    """The first `size` characters that a reader sees, and whether more was said."""
    read = 2 * size
    while True:
        seen = clean(beginning(text, read))
        seen = _squeezed(seen) if squeezed else seen
        if len(seen) > size or read >= len(text):
            return seen[:size], len(seen) > size or read < len(text)
        read *= 4


def _end(text: str, size: int) -> str:
    """The last `size` characters that a reader sees."""
    read = 2 * size
    while len(seen := clean(text[-read:])) < size and read < len(text):
        read *= 4
    return seen[-size:]


def _squeezed(text: str) -> str:
    """Blanks as they count in a sentence; secrets are looked for without any."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(filter(None, lines))
