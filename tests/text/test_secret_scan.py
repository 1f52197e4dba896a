"""A secret is found in whatever form it comes back, and no text makes the search dear."""

import base64
import codecs
import html
import json
import quopri
import re
import time
import unicodedata
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gretel.text.foreign import excerpt
from gretel.text.known.secret_scan import SecretForms, find_secrets
from gretel.text.redact import Redactor
from gretel.text.secret_shapes import MASK
from growth import LINEAR, growth

ODD = "p<w>d'Q9/x+7=L:m.Z&4\"k"
PLAIN = "Zx9KqvTr8Lm5Pd2Qw7Bn4YhJ6"
NAMED = {"<": "lt", ">": "gt", "'": "apos", "/": "sol", "+": "plus", "=": "equals", ":": "colon"}
NAMED |= {".": "period", "&": "amp", '"': "quot"}


def masked(secret: str, text: str) -> str:
    with Redactor().during([secret]):
        return excerpt(text)


@pytest.mark.parametrize(
    "change",
    [
        html.escape,
        lambda text: html.escape(text).upper(),
        lambda text: html.escape(html.escape(text)),
        lambda text: "".join(f"&{NAMED[char]};" if char in NAMED else char for char in text),
        lambda text: "".join(f"&{NAMED[char]}" if char in NAMED else char for char in text),
        lambda text: "".join(f"&#{ord(char):09};" for char in text),
        lambda text: "".join(f"&#x{ord(char):x}" for char in text),
        lambda text: json.dumps(json.dumps(json.dumps(json.dumps(text)))),
        lambda text: json.dumps(quote(html.escape(text), safe="")),
        lambda text: quote(quote(quote(text, safe=""), safe=""), safe=""),
        lambda text: "\u034f\u17b4\u180b".join(text),
        lambda text: "&#8203;".join(text),
        lambda text: "\\u200b".join(text),
        lambda text: "".join(f"\\{ord(char):03o}" for char in text),
        lambda text: json.dumps("".join(f"\\0{ord(char):o}" for char in text)),
        lambda text: "".join(f"\\U{ord(char):08X}" for char in text),
        lambda text: "".join(f"\\x{{{ord(char):x}}}" for char in text),
    ],
)
def test_escapes_by_one_layer_or_several(change: Callable[[str], str]) -> None:
    text = masked(ODD, f"you sent {change(ODD)} today")
    assert text.replace('"', "").replace("\\", "") == f"you sent {MASK} today"


SIGNS = [".", "-", "_", ", ", " | ", "::", "/", '","', "', '", "*", "=>"]


@pytest.mark.parametrize("sign", SIGNS)
def test_signs_between_its_letters(sign: str) -> None:
    shown = masked(PLAIN, f"you sent {sign.join(PLAIN)} today")

    assert shown == f"you sent {MASK} today"


def test_a_list_of_its_letters() -> None:
    shown = masked(ODD + PLAIN, json.dumps({"key": [*(ODD + PLAIN)], "city": "Oslo"}))

    assert "Zx9" not in re.sub(r"\W", "", shown)
    assert "Oslo" in shown


def test_words_that_are_a_secret_mask_no_sentence_of_them() -> None:
    said = "list my open orders. Of 2026, list all."

    assert masked("list-my-open-orders", said) == said
    assert masked("orders-2026", "orders of 2026, orders, 2026") == "orders of 2026, orders, 2026"


@pytest.mark.parametrize(
    "code",
    [
        lambda text: base64.b64encode(base64.b64encode(text.encode())).decode(),
        lambda text: text.encode("utf-16-le").hex(),
        lambda text: text.encode("utf-16-be").hex(" "),
        lambda text: str([*text.encode()]),
        lambda text: " ".join(map(str, text.encode())),
        lambda text: codecs.encode(text, "rot13"),
    ],
)
def test_what_programs_say_of_a_text(code: Callable[[str], str]) -> None:
    shown = masked(PLAIN, f"you sent {code(PLAIN)} today")

    assert shown.strip("[]") == f"you sent {MASK.strip('[]')} today" or MASK in shown
    assert code(PLAIN)[12:24] not in shown


@pytest.mark.parametrize(
    "between",
    [
        *("\x1b(B", "\x1b(B\x1b[m", "\x1bc", "\x1b7", "\x1b#8", "\x1b%G", "\x1b\x1b[m"),
        *("\x1b[" + "1;" * 150 + "m", "\x1b]0;", "\x1b]0;title\x07", "\x1bP", "\x9d8;"),
        *("\\033[31m", "\\e[0m", "\\\\e[0m", "%1B%5B31m", "%251B%255B%2533m", "&#27;[31m"),
        *("\\u001b(B", "\\x1b]0;t\\x07", "%1B", "\\x1b\\x1b[0;1m"),
        *("&nbsp;", "&nbsp", "&shy;", "&zwnj;", "&Tab;", "&NewLine;", "&ZeroWidthSpace;"),
        *("&amp;shy;", "&emsp;", "%E2%80%8B", "%25E2%2580%258B", "\\xe2\\x80\\x8b", "%EF%BB%BF"),
        *("%C2%AD", "%F3%A0%81%81"),
    ],
)
def test_what_is_not_seen_between_the_letters_of_a_secret(between: str) -> None:
    text = masked(PLAIN, f"we saw {between.join((PLAIN[:9], PLAIN[9:17], PLAIN[17:]))} today")
    assert text == f"we saw {MASK} today"


@pytest.mark.parametrize("between", ["%1B", "%07", "&#27;[0m", "&shy;", "%E2%80%8B", "\x1b(B"])
def test_within_a_short_secret_too(between: str) -> None:
    assert masked("Zx9KqQ", f"we saw Zx9{between}KqQ!") == f"we saw {MASK}!"


def b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def base58(raw: bytes) -> str:
    number, said = int.from_bytes(raw), ""
    while number:
        number, digit = divmod(number, 58)
        said = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[digit] + said
    return said


@pytest.mark.parametrize("secret", [ODD, PLAIN])
@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.hex(":"),
        lambda raw: raw.hex(" ", 4).upper(),
        lambda raw: f"\\x{raw.hex()}",
        lambda raw: raw[::-1].hex(),
        lambda raw: raw.hex()[::-1],
        lambda raw: b64(raw[::-1]),
        lambda raw: b64(b"user:" + raw + b"\n")[::-1],
        lambda raw: base64.encodebytes(b"x" * 40 + raw).decode(),
        lambda raw: json.dumps(base64.encodebytes(b"x" * 40 + raw).decode()),
        lambda raw: quote(b64(raw), safe=""),
        lambda raw: base64.b32encode(b"x" * 4 + raw).decode(),
        lambda raw: base64.b32hexencode(b"u:" + raw).decode().lower(),
        lambda raw: base64.b85encode(b"user:" + raw + b"\n").decode(),
        lambda raw: html.escape(base64.a85encode(b"xy" + raw, wrapcol=20).decode()),
        lambda raw: base58(raw),
        lambda raw: quote(base58(raw)[::-1]),
    ],
)
def test_codes_of_codes(change: Callable[[bytes], str], secret: str) -> None:
    text = masked(secret, f"you sent {change(secret.encode())} today")
    assert text.startswith("you sent ") and text.endswith(" today") and MASK in text
    rest = text.removeprefix("you sent ").removesuffix(" today")
    assert len(rest.replace("eHh4", "")) <= len(MASK) + 16, "what is left tells nothing"


@pytest.mark.parametrize("secret", [ODD, "k=3D9=xQ7=pR", "h\u00e9\u00dfv\u00fcn=Z9q"])
@pytest.mark.parametrize(
    "change",
    [
        lambda text: quopri.encodestring(text.encode()).decode(),
        lambda text: quopri.encodestring(b"x" * 70 + text.encode()).decode(),
        lambda text: json.dumps(quopri.encodestring(b"x" * 70 + text.encode()).decode()),
        lambda text: "=\r\n".join(text),
    ],
)
def test_as_mails_write_it(change: Callable[[str], str], secret: str) -> None:
    text = masked(secret, f"key={change(secret)} today")
    assert MASK in text and text.endswith(" today")
    assert re.sub(r"key=|x{60,}|today|=|\W", "", text.replace(MASK, "")) in ("", "rn")


def test_what_looks_like_a_mails_escape_behind_a_name() -> None:
    """It is read as it is, too: `=de` begins a key more often than a letter."""
    secret = "de4/b7+f0a1/c2"
    assert masked(secret, f"key={quote(secret, safe='')}&x=1") == f"key={MASK}&x=1"


@pytest.mark.parametrize("secret", ["pa\U0001f600ss\U00010348word", "h\u00e9\u00dfv\u00fcn"])
@pytest.mark.parametrize(
    "change",
    [
        json.dumps,
        lambda text: text.encode("unicode_escape").decode(),
        lambda text: "".join(f"\\{byte:03o}" for byte in text.encode()),
        lambda text: f"\\ud83d{json.dumps(text)}",
        quote,
    ],
)
def test_letters_beyond_those_of_a_keyboard(change: Callable[[str], str], secret: str) -> None:
    text = masked(secret, f"you sent {change(secret)} today")
    assert MASK in text and "ss" not in text.replace("sent", "") and "v" not in text


@pytest.mark.parametrize("case", [str.upper, str.casefold, str.title, str.swapcase, str])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    "secret",
    [
        "Stra\u00dfe-Weg",
        "of\ufb01ce-Key",
        "\u0149x-kEy",
        "e\u0302\u0303key9",
        "\ube44\ubc00\ud0a4\uc57c",
    ],
)
def test_letters_that_are_several_in_another_case_or_form(
    secret: str, form: Any, case: Callable[[str], str]
) -> None:
    said = unicodedata.normalize(form, case(secret))
    assert masked(secret, f"you sent {said} today") == f"you sent {MASK} today"


@pytest.mark.parametrize("mark", ["\u20dd", "\u0489", "\u0e31", "\u0903", "\u093e", "\u0301"])
def test_marks_of_any_kind_on_the_letters_of_a_secret(mark: str) -> None:
    assert masked(PLAIN, f"we saw {mark.join(PLAIN)} today") == f"we saw {MASK} today"


def test_a_secret_that_ends_in_a_backslash() -> None:
    secret = "q9Zk/7w\\"
    assert "q9Zk" not in masked(secret, json.dumps({"key": secret}))


def test_a_secret_that_looks_like_an_escape_itself() -> None:
    secret = "ab%41cd\\u0042&lt;&&gt9"
    for text in (secret, quote(secret), html.escape(secret), json.dumps(secret)):
        assert masked(secret, f"said {text} so") in (f"said {MASK} so", f'said "{MASK}" so')


ESCAPES: list[Callable[[str], str]] = [
    str,
    str.swapcase,
    lambda char: f"%{ord(char):02X}",
    lambda char: f"%25{ord(char):02x}",
    lambda char: f"%2525{ord(char):02x}",
    lambda char: f"%u{ord(char):04x}",
    lambda char: f"\\u{ord(char):04x}",
    lambda char: "\\" * 7 + f"u{ord(char):04X}",
    lambda char: f"\\\\x{ord(char):02x}",
    lambda char: f"&#{ord(char)};",
    lambda char: f"&#X0{ord(char):X};",
    lambda char: f"&amp;#{ord(char)};",
    lambda char: f"\u200b\u2060\u034f{char}",
]
ORDINARY = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in "%\\&")


@pytest.mark.slow
@given(st.text(ORDINARY, min_size=4, max_size=40), st.data())
def test_every_character_may_be_written_in_its_own_way(secret: str, data: st.DataObject) -> None:
    ways = data.draw(st.lists(st.sampled_from(ESCAPES), min_size=len(secret), max_size=len(secret)))
    echo = "".join(way(char) for way, char in zip(ways, secret, strict=True))
    assert masked(secret, f"§{echo}§") == f"§{MASK}§"  # a letter there could begin its reverse


@given(st.text(max_size=300), st.text(min_size=4, max_size=12))
@pytest.mark.slow
def test_spans_lie_within_the_text(text: str, secret: str) -> None:
    known = [SecretForms.of(secret)]
    for start, end in find_secrets(f"{text}{secret}&{text}", known, was_cut=True):
        assert 0 <= start < end <= len(f"{text}{secret}&{text}")


def test_what_is_no_echo_stays() -> None:
    said = '{"path":"C:\\\\new","q":"a%20b&lt;c","n":[1,2.5],"note":"Ma\\u00df, \u0130zmir"}'
    assert masked(PLAIN, said) == said


HOSTILE = {
    "backslashes": "\\" * 100_000,
    "zeros of an entity": "&#" + "0" * 100_000,
    "entities": "&#00" * 25_000,
    "named": "&am" * 30_000,
    "nested": "%2525" * 20_000,
    "unseen": "\u200b" * 100_000,
    "escapes": '\\"' * 50_000,
    "orders": "\x1b[1" * 30_000,
    "an order without an end": "\x1b[" + "1;" * 50_000,
    "titles": "\x1b]0;" * 25_000,
    "sets of signs": "\x1b(" * 50_000 + "\x1b" + "(" * 50_000,
    "escaped orders": "%1b[1" * 20_000,
    "unseen bytes": "%e2%80%8" * 12_000,
    "quotes": '"' * 100_000,
    "keys": '"a":' * 25_000,
    "empty keys": '"":' * 33_000,
    "values": '"a","b":1,{' * 10_000,
    "numbers of JSON": '"' + "1," * 50_000,
}


@pytest.mark.parametrize(
    "secret",
    ["9fK2mQ7xLw4Zt8Rb3Vn6Hq1Ys5D", "d41d8cd98f00b204e9800998ecf8427e", "Zk9pQ7vL2mXw8RtB4c"],
)
def test_a_secret_that_is_cut_into_two_fields_is_masked_in_both(secret: str) -> None:
    half = len(secret) // 2 + 2
    said = masked(secret, json.dumps({"first": secret[:half], "then": secret[half - 2 :]}))
    shown = max(len(part) for part in re.findall(r"[0-9A-Za-z]+", said.replace(MASK, " ")))
    assert said.count(MASK) == 2
    assert shown < 8


@pytest.mark.parametrize(
    "said",
    [
        '{"a":"Zk9pQ7v","b":"L2mXw8R","c":"tB4cNd","city":"Oslo"}',
        '{"a":["Zk9pQ7v",1.5e3,null],"b":{"c":true,"d":"L2mXw8R"},"e":[[],{"f":"tB4cNd"}]}',
        json.dumps({"n": [{"i": i, "c": c} for i, c in enumerate("Zk9pQ7vL2mXw8RtB4cNd")]}),
        json.dumps(json.dumps({"a": "Zk9pQ7", "b": "vL2mXw", "c": "8RtB4cNd"})),
    ],
)
def test_a_secret_that_is_written_piece_by_piece_is_masked(said: str) -> None:
    shown = masked("Zk9pQ7vL2mXw8RtB4cNd", said)
    assert MASK in shown
    assert not {"Zk9pQ7", "L2mXw", "4cNd"} & {*re.findall(r"[0-9A-Za-z]{3,}", shown)}
    assert "tB4cNd" not in shown


def test_texts_beside_each_other_are_no_secret() -> None:
    said = '{"first":"all about","city":"Oslo","then":"Zk9pQ7v","last":"L2mXw8R"}'
    assert masked("Zk9pQ7vL2mXw8RtB4cNd", said) == said


def test_a_short_secret_that_is_cut_in_the_middle_is_masked_in_both() -> None:
    said = masked("Zk9pQ7vL2mXw8RtB", '{"first":"Zk9pQ7vL","city":"Oslo","then":"2mXw8RtB"}')
    assert said == f'{{"first":"{MASK}","city":"Oslo","then":"{MASK}"}}'


@pytest.mark.parametrize(
    "secret", ["https://db.internal.example:5432/orders", "summer-of-2024-in-Oslo"]
)
def test_a_part_that_is_words_and_a_number_is_no_secret(secret: str) -> None:
    said = "db.internal.example and 5432, in summer of 2024"
    assert masked(secret, said) == said


@pytest.mark.slow
@pytest.mark.parametrize("length", [26, 1200, 8192])
@pytest.mark.parametrize("letters", ["abcDEF123-_x", "a", "%25", "\\"])
def test_no_answer_is_dear_whatever_the_secret(letters: str, length: int) -> None:
    """Milliseconds each; patterns took seconds, and minutes for the longest."""
    secret = (letters * length)[:length]

    def scan(size: int) -> None:
        for text in (*HOSTILE.values(), secret[:-1] * 10, (secret[:-1] + "\u200b") * 10):
            assert len(masked(secret, text[:size]).encode()) <= 2048

    assert growth(scan, 20_000, runs=1) < LINEAR


@pytest.mark.slow
def test_many_secrets_cost_little_more_than_one() -> None:
    redactor = Redactor()
    secrets = [f"Secret-{number}-" + "Qx7" * 40 for number in range(64)]
    with redactor.during(secrets):
        started = time.thread_time()
        for text in HOSTILE.values():
            excerpt(text)
        assert time.thread_time() - started < 5
        assert excerpt(" ".join(secrets[:9])) == " ".join([MASK] * 9)
