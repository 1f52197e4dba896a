import pytest

from gretel.text.tokens import content_words, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserByID", ["get", "user", "by", "id"]),
        ("search_flights v2", ["search", "flight", "v2"]),
        ("50GB of v2API", ["50", "gb", "of", "v2", "api"]),
        ("São Paulo", ["sao", "paulo"]),
        ("ＦＵＬＬ width", ["full", "width"]),
        ("Straße", ["strasse"]),
        ("天气预报API", ["天气", "气预", "预报", "api"]),
        ("погода", ["пого", "огод", "года"]),
        ("की", ["की"]),
        ("", []),
        ("!?", []),
    ],
)
def test_words_of_any_script(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("plural", "singular"),
    [("flights", "flight"), ("cities", "city"), ("prices", "price"), ("status", "status")],
)
def test_english_plurals_meet_their_singular(plural: str, singular: str) -> None:
    assert words(plural) == words(singular)


def test_inflected_words_of_other_alphabets_share_tokens() -> None:
    assert set(words("погода")) & set(words("погоду"))


def test_stop_words_go_unless_nothing_else_is_left() -> None:
    assert content_words("please find me a hotel") == ["find", "hotel"]
    assert content_words("what can you do") == ["what", "can", "you", "do"]
