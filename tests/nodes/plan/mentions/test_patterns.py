"""Mentions with a shape of their own."""

import pytest

from gretel.nodes.plan.mentions.mention import Amount, Mention
from gretel.nodes.plan.mentions.patterns import pattern_mentions


def of_kind(kind: str, text: str) -> list[Mention]:
    return [mention for mention in pattern_mentions(text, 0) if mention.kind == kind]


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("email", "write to jane.doe+x@mail.example.org.", "jane.doe+x@mail.example.org"),
        ("url", "see https://example.com/a?b=1, thanks", "https://example.com/a?b=1"),
        ("url", "open example.co.uk/page now", "example.co.uk/page"),
        ("ip", "ping 192.168.10.6 please", "192.168.10.6"),
        ("ip", "ping 2001:db8::1 please", "2001:db8::1"),
        ("phone", "call +1 555-123-4567", "+1 555-123-4567"),
        ("quoted", 'the song "Shape of You" please', "Shape of You"),
        ("quoted", "named 'Chef's Corner' there", "Chef's Corner"),
        ("quoted", "called “Embrace the Adventure”.", "Embrace the Adventure"),
        ("hashtag", "posts with #winter", "winter"),
        ("id", "order #4711", "4711"),
        ("id", "container CA107308006SI is late", "CA107308006SI"),
        ("id", "take 123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
        ("id", "card 1234-5678-9012-3456", "1234-5678-9012-3456"),
        ("id", "policy rOBhSVKGVKe", "rOBhSVKGVKe"),
        ("range", "aged 18-25 only", "18-25"),
        ("percent", "a rate of 3.5%", "3.5%"),
    ],
)
def test_found_as_it_stands(kind: str, text: str, found: str) -> None:
    mentions = of_kind(kind, text)
    assert found in [mention.text for mention in mentions]
    for mention in mentions:
        assert text[mention.start : mention.end] == mention.text


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("31.5 kg of rice", Amount(31.5, "kg")),
        ("two adults", Amount(2, "adults")),
        ("forty-two guests", Amount(42, "guests")),
        ("$200,000 at once", Amount(200_000, currency="USD")),
        ("$1.5 million", Amount(1_500_000, currency="USD")),
        ("250 euros", Amount(250, currency="EUR")),
        ("99 CHF", Amount(99, currency="CHF")),
        ("5%", Amount(5, "%")),
    ],
)
def test_amounts(text: str, amount: Amount) -> None:
    assert amount in [mention.value for mention in pattern_mentions(text, 0)]


def test_coordinates_with_hemispheres() -> None:
    assert [m.value for m in of_kind("coordinates", "at 40.7128° N, 74.0060° W")] == [
        (40.7128, -74.006)
    ]
    assert [m.value for m in of_kind("coordinates", "at 48.85, 2.35 exactly")] == [(48.85, 2.35)]


def test_no_impossible_address() -> None:
    assert not of_kind("ip", "version 999.1.2.3")
    assert not of_kind("coordinates", "48.85, 200.5")


@pytest.mark.parametrize("text", ["1st", "10am", "5kg", "2024-09-20", "one-way", "COVID-19"])
def test_what_is_no_id(text: str) -> None:
    assert not of_kind("id", f"about {text} then")
