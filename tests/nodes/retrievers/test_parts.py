import pytest

from gretel.nodes.retrievers.parts import request_parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Find a flight to Oslo. Then book me a hotel.", 2),
        ("Find a flight to Oslo, and also book me a hotel", 2),
        ("帮我查航班信息。再订一个酒店房间。", 2),
        ("Find a flight to Oslo", 0),
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
