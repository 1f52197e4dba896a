"""Nothing secret and nothing unseen leaves the sandbox."""

import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from gretel.text.foreign import both_ends, excerpt, foreign, passage
from gretel.text.invisible import FILLERS, clean, visible
from gretel.text.redact import Redactor
from gretel.text.secret_shapes import MASK
from lanes import every


def beginning(redactor: Redactor, text: str) -> str:
    """What is kept of an answer where these secrets are known."""
    with redactor.during([]):
        return excerpt(text)


def sentence(redactor: Redactor, text: str) -> str:
    """What is kept of an error's words there."""
    with redactor.during([]):
        return foreign(text, 160)


SECRET = 'k3y/with+"odd" signs'
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"


@pytest.mark.parametrize(
    "echo",
    [
        SECRET,
        quote(SECRET, safe=""),
        quote(SECRET),
        json.dumps(SECRET),
        'k3y/with+\u200b"odd" signs',
    ],
)
def test_a_known_secret_is_masked_in_every_form(echo: str) -> None:
    redactor = Redactor()
    with redactor.during([SECRET]):
        pass
    text = beginning(redactor, f"you sent {echo}, thanks")
    assert "k3y" not in text
    assert text.startswith("you sent") and text.endswith("thanks")


@pytest.mark.parametrize(
    "text",
    [
        '{"access_token": "abcdef123456"}',
        '{"apiKey":"abcdef123456"}',
        '{"x-api-key": "abcdef123456"}',
        "{'password': 'abcdef123456'}",
        "https://a.com/x?appid=1&api_key=abcdef123456&q=1",
        "Authorization: Bearer abcdef123456",
        "Set-Cookie: sid=abcdef123456; Path=/",
        "use bearer abcdef123456",
        f"token {JWT} end",
        "sk-live-abcdef123456abcdef123456",
        "ghp_abcdef123456abcdef123456abcdef",
        "AKIAABCDEF1234567890",
        "-----BEGIN RSA PRIVATE KEY-----\nabcdef123456\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_secret_is_masked(text: str) -> None:
    redacted = excerpt(text)
    assert MASK in redacted
    assert "abcdef" not in redacted.lower() and "dozjgNryP4" not in redacted


@pytest.mark.parametrize(
    "pair",
    [
        *('"token": "bitcoin7"', '"token": "xkqvbnmtrplw"', '"token": "Qbitcoin"'),
        *('"access_token": "bitcoin"', '"api_key": "bitcoin"', '"password": "bitcoin"'),
        *('"secret": "bitcoin"', '"bot_token": "bitcoin"', '"token": "bitcoinethereum"'),
    ],
)
def test_a_plain_word_is_a_secret_all_the_same(pair: str) -> None:
    """But for one behind the word token alone, which may be of a coin."""
    assert MASK in excerpt(f"{{{pair}}}")


HEX = "0123456789abcdef"


@pytest.mark.parametrize(
    "secret",
    [
        *("4111 1111 1111 1111", "5500-0000-0000-0004", "340000000000009", "6011000990139424"),
        *("2223003122003222", "30569309025904", "123-45-6789", f"SK{HEX}{HEX}", f"key-{HEX}{HEX}"),
        *(
            "GOCSPX-abcdefghijklmnopqrstuvwx",
            f"EAAC{HEX}{HEX}{HEX}",
            "sq0atp-abcdefghijklmnopqrstuv",
        ),
    ],
)
@pytest.mark.parametrize("around", ["see {} there", '{{"n": "{}"}}', "card:{}", "a,{},b"])
def test_numbers_of_cards_and_people_and_keys_are_masked(secret: str, around: str) -> None:
    text = excerpt(around.format(secret))
    assert MASK in text
    assert secret[-6:] not in text


BODY = "MIIEpAIBAAKCAQEAx7Zq9Kd0\nZx9KqvTr4LmN8pQw2RsTuV6y"
IBAN = ("DE89", "3704", "0044", "0532", "0130", "00")
FIRST = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,9F0E1D2C\n\n"


@pytest.mark.parametrize(
    "key",
    [
        f"-----BEGIN RSA PRIVATE KEY-----\n{FIRST}{BODY}\n-----END RSA PRIVATE KEY-----",
        f"-----BEGIN RSA PRIVATE KEY-----\n{FIRST}{BODY}",
        f"-----BEGIN PGP PRIVATE KEY BLOCK-----\nComment: my-key\n\n{BODY}\n"
        "-----END PGP PRIVATE KEY BLOCK-----",
        f"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{BODY}\n"
        "---- END SSH2 ENCRYPTED PRIVATE KEY ----",
        f"-----BEGIN ED25519 PRIVATE KEY-----\n{BODY}\n-----END ED25519 PRIVATE KEY-----",
        "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..MIIEpAIBAAKC.Zx9KqvTr4LmN8pQw.2RsTuV6y",
        "eyJhbGciOiJSU0EifQ.T0tPTEFQ.MIIEpAIBAAKC.Zx9KqvTr4LmN8pQw.2RsTuV6y",
    ],
)
@pytest.mark.parametrize("said", [str, json.dumps, lambda key: key.replace("\n", "\n> ")])
def test_a_key_is_masked_up_to_its_end(key: str, said: Callable[[str], str]) -> None:
    for read in (excerpt, both_ends, lambda text: foreign(text, 2_000)):
        shown = read(f"here: {said(key)} and more")
        assert "here: " in shown and MASK in shown
        assert not any(part in shown for part in ("MIIEpAIB", "Zx9KqvTr", "2RsTuV6y"))


def wide(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) for char in text)


@pytest.mark.parametrize(
    "secret",
    [
        *("\u00a0", "\u2009", "\u202f", "\u2011", "\u2013"),
        *map(
            wide, ("4111111111111111", "DE89370400440532013000", "ghp_Zx9KqvTr4LmN8pQw2RsTuV6yB1cD")
        ),
    ],
)
def test_a_number_or_key_that_is_parted_or_written_otherwise(secret: str) -> None:
    joined = len(secret) > 1
    for parts in ((secret,),) if joined else (("4111", "1111", "1111", "1111"), IBAN):
        said = secret if joined else secret.join(parts)
        assert excerpt(f"see {said} there") == f"see {MASK} there"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"Invalid API key: {HEX}{HEX}.", "Invalid API key: "),
        (f"the token is '{HEX}{HEX}'", "the token is '"),
        ("postgres://ada:hunter22@db.example/x", "postgres://ada:"),
    ],
)
def test_what_a_sentence_repeats_of_a_secret_is_masked(text: str, kept: str) -> None:
    found = foreign(text, 160)
    assert found.startswith(kept + MASK)
    assert HEX not in found and "hunter" not in found


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112",  # its last digit is another
        "1700000000000000",  # microseconds
        "ISBN 978-3-16-148410-0",
        "+49 30 123-45-6789-0",
        "call 555-123-4567",
        "1.4111111111111111",
        f"commit {HEX}{HEX[:8]}",
        f'{{"etag": "{HEX}{HEX}"}}',
        "http://host:8080/a@b",
        "https://example.com/@ada:b@c",
    ],
)
def test_other_numbers_and_digests_stay(text: str) -> None:
    assert excerpt(text) == text


@pytest.mark.parametrize(
    "text",
    [
        '{"flights": [{"from": "SFO", "price": 210}]}',
        '{"token_count": 12, "keyboard": "qwerty layout"}',
        "The secret garden: a password-free story",
        '{"token": "bitcoin", "pair": {"token": "ethereum"}}',
        "https://a.com/x?q=1&key_word=abcdefgh",
        '{"name": "Ötzi", "emoji": "✈", "text": "日本語"}',
    ],
)
def test_plain_answers_stay_as_they_are(text: str) -> None:
    assert excerpt(text) == text


def test_unseen_characters_are_dropped() -> None:
    unseen = "\u200b\u202e\u2066\U000e0041\x00\x1b\ufeff\u3164\ufe0f\ue000\ud800\U000e0100"
    assert visible("".join(f"a{char}" for char in unseen)) == "a" * len(unseen)
    assert clean("abcdef\x1b[31mghijkl") == "abcdefghijkl"
    assert visible("tab\tand\nline") == "tab\tand\nline"


@pytest.mark.parametrize("char", ["a", "é", "日", "✈", "𝄞"])
def test_the_cut_is_at_a_character(char: str) -> None:
    text = excerpt("x" + char * 3000)
    assert 2045 <= len(text.encode()) <= 2048
    assert set(text) == {"x", char}


def test_an_excerpt_is_cut_after_redaction() -> None:
    redactor = Redactor()
    with redactor.during([SECRET]):
        pass
    text = beginning(redactor, "a" * 2030 + SECRET * 500)
    assert len(text.encode()) <= 2048
    assert "k3y" not in text


def test_short_credentials_do_not_blank_the_text() -> None:
    redactor = Redactor()
    with redactor.during(["a", ""]):
        pass
    assert sentence(redactor, "banana") == "banana"


@pytest.mark.slow
def test_long_hostile_texts_are_redacted_quickly() -> None:
    units = ("a-", "eyJ", '"token":', "bearer ", "sk-", "-----BEGIN ", "密码---seed", "   value=")
    for unit in units:
        assert len(excerpt(unit * 500_000).encode()) <= 2048


class TestCut:
    """A text that was cut may end within a secret, and shows nothing of it."""

    LONG = "Zx9KqvTr8Lm5Pd2Qw7Bn4YhJ6"

    def redactor(self) -> Redactor:
        redactor = Redactor()
        with redactor.during([self.LONG]):
            pass
        return redactor

    @pytest.mark.parametrize("between", ["", "\u200b", "\u034f" * 3, "\u200b" * 900])
    @pytest.mark.parametrize("kept", every(2, [4, 5, 12, 24]))
    def test_by_the_window_of_an_excerpt(self, between: str, kept: int) -> None:
        spaced = between.join(self.LONG)
        cut_in = len(between.join(self.LONG[:kept]))
        # Unseen characters first: they count for nothing, neither before nor within the secret.
        for fill in ("\u200b" * (8192 - cut_in), "token=abcdefghijklmnop&" * 360):
            text = fill[: 8192 - cut_in] + spaced + " and more" * 1000
            assert "Zx9K" not in beginning(self.redactor(), text)

    @pytest.mark.parametrize("kept", [4, 11, 24])
    @pytest.mark.parametrize("mark", ["", "…"])
    def test_by_the_length_of_a_sentence(self, kept: int, mark: str) -> None:
        said = sentence(self.redactor(), f"HTTP 400: bad key {self.LONG[:kept]}{mark}")
        assert said == f"HTTP 400: bad key {MASK}{mark}"

    @pytest.mark.parametrize("lost", [1, 2, 3, 5, 8])
    @pytest.mark.parametrize("escape", ["%{:02x}", "%25{:02x}", "\\\\\\\\u{:04x}", "&#x{:x};"])
    def test_within_an_escape(self, escape: str, lost: int) -> None:
        code = "".join(escape.format(ord(char)) for char in self.LONG)
        assert sentence(self.redactor(), f"bad key {code[:-lost]}…") == f"bad key {MASK}…"

    def test_within_a_code(self) -> None:
        code = self.LONG.encode().hex()
        assert sentence(self.redactor(), f"bad key {code[:-7]}…") == f"bad key {MASK}…"

    @pytest.mark.parametrize("said", ["bad key Zx9…", "HTTP 400: 5a7839.", "no more…"])
    def test_what_tells_little_stays(self, said: str) -> None:
        assert sentence(self.redactor(), said) == said

    def test_an_excerpt_that_is_whole_ends_as_it_is(self) -> None:
        assert beginning(self.redactor(), "all about Zx9KqvTr") == "all about Zx9KqvTr"


@pytest.mark.parametrize(
    ("secret", "read"),
    [
        ("4111 1111 1111 1111", 18),
        ("https://bob:hunter2xyzQ9@db/", 23),
        ("AKIAIOSFODNN7EXAMPLE", 19),
        ("110201543:AAAbCdEfGh1234IjKlMnOp5678QrStUvWx", 43),
        ("DE89 3704 0044 0532 0130 00", 26),
    ],
)
@pytest.mark.parametrize(
    ("shown", "window"),
    [
        (excerpt, 8_192),
        (lambda text: foreign(text, 2_000), 10_192),
        (passage, 16_192),
        (both_ends, 9_216),
    ],
)
def test_what_only_its_end_shows_to_be_a_secret_is_not_shown_at_a_cut(
    shown: Callable[[str], str], window: int, secret: str, read: int
) -> None:
    """What is masked gets so much shorter that the cut of what is read stands in what is shown."""
    times = window // 3_900 + 1
    masked = ('"password":"' + "Ab1x" * ((window - 700) // times // 4 - 4) + '",') * times
    fill = "z " * ((window - len(masked) - read) // 2)
    text = (
        masked + "," * (window - len(masked) - len(fill) - read) + fill + secret + " more" * 9_999
    )
    assert secret[: read - 3] not in shown(text)
    assert MASK in shown(text)


def test_an_end_that_is_no_cut_is_shown() -> None:
    text = "price 5 " * 40
    assert excerpt(text) == text
    assert excerpt("x" * 9_000) == "x" * 2_048
    assert foreign("price 5 " * 9_000, 160).startswith("price 5 price 5")


def test_fillers_of_every_kind_are_dropped() -> None:
    """One list for descriptions, prompts and answers."""
    assert visible("".join(f"a{char}" for char in sorted(FILLERS))) == "a" * len(FILLERS)
    assert clean("a\u2028b\u2029c") == "a\nb\nc"


def test_secrets_of_calls_under_way_are_never_forgotten() -> None:
    redactor = Redactor()
    with redactor.during(["first-secret-Qx7"]), redactor.during(["first-secret-Qx7"]):
        pass
    with redactor.during(["Secret-0-Qx7Kp2"]):
        for number in range(1, 200):
            with redactor.during([f"Secret-{number}-Qx7Kp2"]):
                pass
        assert sentence(redactor, "Secret-0-Qx7Kp2 Secret-199-Qx7Kp2.") == f"{MASK} {MASK}."
        assert sentence(redactor, "Secret-1-Qx7Kp2.") == "Secret-1-Qx7Kp2.", "the oldest go"
    assert sentence(redactor, "Secret-0-Qx7Kp2.") == f"{MASK}.", "the last are known a while longer"
