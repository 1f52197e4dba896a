"""What fine-tuned vectors do to the order of tools, and what they leave as it is."""

import numpy as np
import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.ranking import RetrievalQuery
from gretel.nodes.retrieve.encoding.embed import text_key
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.semantic.signals import ToolIndex, dense_text
from gretel.nodes.retrieve.semantic.tuned import lifted, tuned_weights

GENERAL = np.array([[1, 0], [0.8, 0.6]], dtype=np.float32)
FINE = np.array([[0, 1], [1, 0]], dtype=np.float32)
ASKED = np.array([[1, 0]], dtype=np.float32)
TOOLS = [tool("demo.alpha", "Does one thing."), tool("demo.beta", "Does another thing.")]


def both(general: np.ndarray, fine: np.ndarray) -> np.ndarray:
    """Rows as an encoder with `tuned` gives them."""
    return np.concatenate([general, fine], axis=1) / np.sqrt(np.float32(2))


@pytest.mark.parametrize(("scored_by", "first"), [("both", 1), ("dense", 0)])
def test_a_tool_that_they_find_nearer_goes_first_and_the_best_is_as_good(
    scored_by: str, first: int
) -> None:
    index = ToolIndex(TOOLS, both(GENERAL, FINE), tuned=True)
    rows, fusion = both(ASKED, ASKED), Fusion.load(scored_by)  # type: ignore[arg-type]
    tuned = index.tuned_cosines(rows)
    assert tuned is not None

    plain = fusion.weigh(index, index.signals("unheard", index.cosines(rows)), size=2)
    found = fusion.weigh(index, index.signals("unheard", index.cosines(rows), tuned=tuned), size=2)

    assert plain.scores.argmax() == 0
    assert found.scores.argmax() == first
    assert found.scores.max() == pytest.approx(plain.scores.max())


def test_the_longer_a_request_the_less_they_count_but_for_its_best_part() -> None:
    index = ToolIndex(TOOLS, both(GENERAL, FINE), tuned=True)
    tuned = index.tuned_cosines(both(ASKED, ASKED))
    assert tuned is not None
    whole, part = tuned_weights()[:2]

    def apart(text: str, cosines: np.ndarray) -> float:
        signals = index.signals(text, cosines, tuned=cosines)
        odds = lifted(np.zeros(2), np.zeros((2, 5)), signals, np.arange(2))
        return float(odds.max() - odds.min())

    assert apart("unheard", tuned) == pytest.approx(whole + part)
    assert apart("four unheard words here", tuned) == pytest.approx(whole / 2 + part)
    parts = np.concatenate([0 * tuned, tuned])
    assert apart("unheard", parts) == pytest.approx(part)


def test_nothing_is_lifted_where_nothing_is_found() -> None:
    signals = ToolIndex(TOOLS, both(GENERAL, FINE), tuned=True).signals("", np.zeros((1, 2)))
    nothing = np.zeros((0, 5))
    assert not len(lifted(np.zeros(0), nothing, signals, np.zeros(0, dtype=np.intp)))


async def test_vectors_of_before_are_used_without_another_pass() -> None:
    """An artefact brings the general vectors alone; they are not encoded again for the others."""
    encoder = Encoder()
    texts = [dense_text(each) for each in TOOLS]
    keys = [text_key(text, encoder) for text in texts]
    known = dict(zip(keys, encoder.documents(texts), strict=True))
    told: list[tuple[int, int]] = []

    retriever = await SemanticRetriever.build(
        Catalog.from_tools(TOOLS), known=known, progress=lambda *each: told.append(each)
    )

    assert told == [(2, 2)]
    found = await retriever.retrieve([RetrievalQuery(text="another thing")], k=2)
    assert found.candidates[0][0].tool_id == "demo.beta"
