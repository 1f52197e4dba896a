import numpy as np
import pytest

from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.need.classifier import LIMITS, NeedClassifier, phrases


@pytest.fixture(scope="module")
def fitted() -> NeedClassifier:
    return NeedClassifier.load()


def test_phrases_are_words_marks_and_neighbours() -> None:
    assert list(phrases("Don't ask, ACT!")) == [
        *("don't", "ask", ",", "act", "!"),
        *("don't ask", "ask ,", ", act", "act !"),
    ]


def test_only_the_beginning_of_a_request_is_read() -> None:
    assert "late" not in set(phrases("early " * 200 + "late"))


def test_both_models_add_up_and_nothing_counts_beyond_the_limit() -> None:
    def need(weight: float) -> NeedClassifier:
        ones = np.ones(1, dtype=np.float32)
        hidden = np.eye(1, 2, dtype=np.float32)
        return NeedClassifier(hidden, ones, 2 * ones, {"find": weight}, -2.5)

    along, across = np.eye(2, dtype=np.float32)

    assert need(0.5).log_odds("other", along) == pytest.approx(1.5)
    assert need(0.5).log_odds("other", across) == pytest.approx(-0.5)
    assert need(0.5).log_odds("find, find", across) == pytest.approx(0)
    assert need(50).log_odds("find", across) == LIMITS[1]
    assert need(-50).log_odds("find", across) == LIMITS[0]


@pytest.mark.parametrize(
    ("tool", "no_tool"),
    [
        ("Book me a table for two at Luigi's tonight.", "Write a poem about autumn leaves."),
        ("Convert 250 US dollars to euros.", "Who was the better painter, Monet or Manet?"),
        ("Show the open invoices of customer 4711.", "Why do cats purr?"),
        ("What do we have on berth 12?", "What do we know about the Bronze Age?"),
        ("Did cargo C-771 ever clear customs?", "Did Columbus ever reach India?"),
        ("Which ferries are delayed this morning?", "Which metals do not rust?"),
    ],
)
def test_a_task_reads_more_like_work_for_a_tool_than_chat(
    fitted: NeedClassifier, encoder: Encoder, tool: str, no_tool: str
) -> None:
    middle = encoder.embeddings([tool, no_tool]).middle

    assert fitted.log_odds(tool, middle[0]) > 0 > fitted.log_odds(no_tool, middle[1])


def test_a_request_without_words_is_judged(fitted: NeedClassifier, encoder: Encoder) -> None:
    assert LIMITS[0] <= fitted.log_odds("", encoder.embeddings([""]).middle[0]) <= LIMITS[1]
