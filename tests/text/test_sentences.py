import pytest

from gretel.text.sentences import request_parts, unquoted


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Find a flight to Oslo. Then book me a hotel.", 2),
        ("Find a flight to Oslo, and also book me a hotel", 2),
        ("帮我查航班信息。再订一个酒店房间。", 2),
        ("Find a flight to Oslo", 0),
        ("Find the hotel at no. 5 Main Street", 0),
        ("I am learning the piano. Find me a teacher", 2),
        ("Hello! Find a flight to Oslo", 0),
        ("", 0),
        ("One more sentence here. " * 100, 8),
    ],
)
def test_a_request_falls_into_its_sentences(text: str, parts: int) -> None:
    assert len(request_parts(text)) == parts


def test_parts_keep_their_order_and_wording() -> None:
    assert request_parts("Find a flight to Oslo; what is the weather there?") == [
        "Find a flight to Oslo;",
        "what is the weather there?",
    ]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("What does the word 'serendipity' mean?", "What does the word mean?"),
        ('Find  tweets of "Ada" and “Bob” today', "Find tweets of and today"),
        ("Find «Рим» on the map", "Find on the map"),
        ("It's Bob's dog and Al's cat", "It's Bob's dog and Al's cat"),
        ("Two  spaces, no quotes", "Two  spaces, no quotes"),
        ("Play 'Yesterday'", "Play 'Yesterday'"),
    ],
)
def test_quoted_values_are_not_what_a_request_is_about(text: str, about: str) -> None:
    assert unquoted(text) == about
