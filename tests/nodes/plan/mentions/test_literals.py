"""Text that means nothing but as it stands."""

import pytest

from gretel.contracts.ranking import Request
from gretel.nodes.plan.mentions.document import read_document
from gretel.nodes.plan.mentions.spans import read_spans


def found(text: str) -> dict[str, set[str]]:
    """The texts of all mentions, by kind."""
    asked = Request(text=text, today="2026-11-20")
    kinds: dict[str, set[str]] = {}
    for span in read_spans(asked, read_document(asked)):
        kinds.setdefault(span.mention.kind, set()).add(span.mention.text)
    return kinds


@pytest.mark.parametrize(
    ("kind", "text", "literal"),
    [
        ("path", "open /etc/hosts.", "/etc/hosts"),
        ("path", "(see ./a-b/c.txt)", "./a-b/c.txt"),
        ("path", "from C:\\logs\\x.log on", "C:\\logs\\x.log"),
        ("path", "all of src/**/*.ts here", "src/**/*.ts"),
        ("path", "读取/opt/app.yaml的内容", "/opt/app.yaml"),
        ("zone", "now in America/New_York?", "America/New_York"),
        ("statement", "run `select 1 from t` now", "select 1 from t"),
        ("statement", "Exécute « SELECT a FROM b » et dis", "SELECT a FROM b"),
        ("date", "since 2026-10-05T09:00:00+02:00, please", "2026-10-05T09:00:00+02:00"),
        ("id", "decode aGVsbG8gd29ybGQ= now", "aGVsbG8gd29ybGQ="),
        ("id", "in aw-log_atelier-pc today", "aw-log_atelier-pc"),
        ("id", "the key user:1001 there", "user:1001"),
        ("id", "in zone example.org.?", "example.org."),
        ("id", "tag 3.12-slim", "3.12-slim"),
    ],
)
def test_a_literal_is_whole(kind: str, text: str, literal: str) -> None:
    assert literal in found(text)[kind]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("the issue e5c59702-03ce-4d4b-a1bc-524d92049ed0", "03"),
        ("open /var/log/2026-09-14.md", "2026-09-14"),
        ("sensor t-101 please", "101"),
        ("in aw-log_atelier-pc today", "log_atelier"),
    ],
)
def test_nothing_within_a_literal_is_a_value(text: str, part: str) -> None:
    assert all(part not in texts for texts in found(text).values())


@pytest.mark.parametrize("text", ["one-way or and/or", "it costs $50/night", "done.Next please"])
def test_ordinary_words_are_no_literals(text: str) -> None:
    assert not {"id", "path", "zone"} & found(text).keys()
