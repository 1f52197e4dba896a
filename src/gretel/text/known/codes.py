"""Codes: what a secret is in hexadecimal, base32, base64 and base85, wherever it starts in them.

In base58, which codes a text as one number, a secret is found that stands alone; so it is in base64
of its base64, in two bytes a letter, in the numbers of its bytes and moved by thirteen letters.
"""

import base64
import codecs
import re
from collections.abc import Callable, Iterator

MIN_CODE = 8
"""Characters of a code below which a match may be chance."""

_MIN_MIXED = 12
"""Letters and digits of a secret from which signs between them do not hide it."""

_END = 8
"""Letters and digits at either end of a secret that together tell it: a server cut it in two."""

_CHANGE = re.compile(r"\d(?=[^\W\d_])|[^\W\d_](?=\d)")
_CHANGES = 2
_JWT_HEAD = re.compile(r"eyj[\w-]*\.")
"""It says how a token is signed: many have the same."""

GAP = re.compile(r"\\+[nrt]|[^0-9a-z\\]+|\\+")
"""What may stand within a code: signs that vary, colons, the ends of lines, escaped or not."""

_Encode = Callable[[bytes], bytes]
_RFC_1924 = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
_Z85 = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_TO_Z85 = bytes.maketrans(_RFC_1924, _Z85)
_BASE_58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_MOST_58 = 1_024
"""Bytes that are read as one number: what that costs grows with the square of their count."""
_BLOCKS: tuple[tuple[int, int, _Encode], ...] = (
    (4, 5, base64.b85encode),
    (4, 5, base64.a85encode),
    (4, 5, lambda raw: base64.b85encode(raw).translate(_TO_Z85)),
)
"""Bytes that are encoded together, in how many characters, and how."""


def codes_of(secret: str) -> frozenset[str]:
    """Letters and digits of the codes of `secret`, and of it or of its code backwards."""
    raw, back = secret.encode(errors="replace"), secret[::-1].encode(errors="replace")
    codes = {code for each in (raw, back) for code in (each.hex(), *_within(each, 6, _base64))}
    codes |= {code for each in (raw, back) for code in _telling(_base58(each))}
    once = {*_within(raw, 5, base64.b32encode), *_within(raw, 5, base64.b32hexencode)}
    once |= {code for block in _BLOCKS for code in _in_blocks(raw, *block)}
    once |= {*_within(_base64(raw), 6, _base64), *_told(secret, raw)}
    return frozenset(codes | {code[::-1] for code in codes} | once)


def letters_of(folded: str) -> tuple[str, ...]:
    """Letters and digits of a secret, and backwards, whatever signs stand between them; and parts.

    Of a long one that mixes both alone: words are found in any sentence that has them in turn.
    """
    letters = GAP.sub("", folded)
    mixed = not letters.isdecimal() and any(map(str.isdecimal, letters))
    if not mixed or len(letters) < _MIN_MIXED:
        return ()
    return (letters, letters[::-1], *_parts(GAP.sub("", _JWT_HEAD.sub("", folded))))


def ends_of(secret: str) -> tuple[str, ...]:
    """The first and the last letters of a secret that tell it where both stand in a text."""
    letters = GAP.sub("", secret)
    ends = (letters[:_END], letters[-_END:])
    told = len(letters) >= 2 * _END and all(len(_CHANGE.findall(end)) >= _CHANGES for end in ends)
    return ends if told else ()


def _parts(letters: str) -> Iterator[str]:
    """Parts of a long secret that tell it by themselves: a server may cut it into two fields.

    Only such as change twice or more between letters and digits, as no word with a number does.
    """
    last = len(letters) - _MIN_MIXED
    if last < _MIN_MIXED // 2:
        return
    for start in {*range(0, last, _MIN_MIXED // 2), last}:
        part = letters[start : start + _MIN_MIXED]
        if len(_CHANGE.findall(part)) >= _CHANGES:
            yield part


def _told(secret: str, raw: bytes) -> Iterator[str]:
    """What programs say of a text where they do not show it."""
    yield from _telling(" ".join(map(str, raw)).encode())
    yield from (secret.encode(form, "replace").hex() for form in ("utf-16-le", "utf-16-be"))
    yield from _telling(codecs.encode(secret, "rot13").encode(errors="replace"))


def _base64(raw: bytes) -> bytes:
    return base64.b64encode(raw)


def _base58(raw: bytes) -> bytes:
    number = int.from_bytes(raw if len(raw) <= _MOST_58 else b"")
    digits = []
    while number:
        number, digit = divmod(number, 58)
        digits.append(_BASE_58[digit])
    return "".join(reversed(digits)).encode()


def _within(raw: bytes, bits: int, encode: _Encode) -> Iterator[str]:
    """Codes of `raw` in a code of `bits` a character, at each place in which it may start.

    The characters at either end depend on what stands next to the secret.
    """
    for shift in range(3 if bits == 6 else 5):
        first, last = -(-shift * 8 // bits), (shift + len(raw)) * 8 // bits
        yield from _telling(encode(bytes(shift) + raw)[first:last])


def _in_blocks(raw: bytes, size: int, length: int, encode: _Encode) -> Iterator[str]:
    """Codes of the whole blocks of `raw`, in each way in which it may be cut into these."""
    for shift in range(size):
        whole = raw[shift : len(raw) - (len(raw) - shift) % size]
        yield from _telling(encode(whole))


def _telling(code: bytes) -> Iterator[str]:
    letters = GAP.sub("", code.decode().lower())
    if len(letters) >= MIN_CODE:
        yield letters
