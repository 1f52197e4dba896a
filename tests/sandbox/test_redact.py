"""Nothing secret and nothing unseen leaves the sandbox."""

import json
from urllib.parse import quote

import pytest

from gretel.sandbox.redact import MASK, Redactor, cut, visible

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
    redactor.learn([SECRET])
    text = redactor.excerpt(f"you sent {echo}, thanks")
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
    redacted = Redactor().excerpt(text)
    assert MASK in redacted
    assert "abcdef" not in redacted.lower() and "dozjgNryP4" not in redacted


@pytest.mark.parametrize(
    "text",
    [
        '{"flights": [{"from": "SFO", "price": 210}]}',
        '{"token_count": 12, "keyboard": "qwerty layout"}',
        "The secret garden: a password-free story",
        "https://a.com/x?q=1&key_word=abcdefgh",
        '{"name": "Ötzi", "emoji": "✈", "text": "日本語"}',
    ],
)
def test_plain_answers_stay_as_they_are(text: str) -> None:
    assert Redactor().excerpt(text) == text


def test_unseen_characters_are_dropped() -> None:
    unseen = "\u200b\u202e\u2066\U000e0041\x00\x1b\ufeff\u3164\ufe0f\ue000\ud800\U000e0100"
    assert visible("".join(f"a{char}" for char in unseen)) == "a" * len(unseen)
    assert visible("abcdef\x1b[31mghijkl") == "abcdef[31mghijkl"
    assert visible("tab\tand\nline") == "tab\tand\nline"


@pytest.mark.parametrize("char", ["a", "é", "日", "✈", "𝄞"])
def test_the_cut_is_at_a_character(char: str) -> None:
    text = cut("x" + char * 3000)
    assert 2045 <= len(text.encode()) <= 2048
    assert set(text) == {"x", char}


def test_an_excerpt_is_cut_after_redaction() -> None:
    redactor = Redactor()
    redactor.learn([SECRET])
    text = redactor.excerpt("a" * 2030 + SECRET * 500)
    assert len(text.encode()) <= 2048
    assert "k3y" not in text


def test_short_credentials_do_not_blank_the_text() -> None:
    redactor = Redactor()
    redactor.learn(["a", ""])
    assert redactor.text("banana") == "banana"


def test_long_hostile_texts_are_redacted_quickly() -> None:
    for unit in ("a-", "eyJ", '"token":', "bearer ", "sk-", "-----BEGIN "):
        assert len(Redactor().excerpt(unit * 500_000).encode()) <= 2048
