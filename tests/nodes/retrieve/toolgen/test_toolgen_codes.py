"""Tools that are several words each: codes, the search over them, and what comes and goes."""

import itertools
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import torch
from pydantic import ValidationError
from torch import Tensor

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError, IndexCorrupt, InputError
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.toolgen.artifact import read_artifact, write_artifact
from gretel.nodes.retrieve.toolgen.coded import CodedModel, opened
from gretel.nodes.retrieve.toolgen.codes import Codebook, Scheme
from gretel.nodes.retrieve.toolgen.decoding import Decoding, Mode
from gretel.nodes.retrieve.toolgen.growing import grow
from gretel.nodes.retrieve.toolgen.retriever import ToolGenRetriever
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slot, Slots
from gretel.nodes.retrieve.toolgen.trie import CodeTrie, search
from gretel.training.toolgen.coding import fitted
from lanes import every
from toolgen_models import coded

SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
NO_NUMBERS = (math.nan, math.inf, -math.inf, 1e38)


@pytest.fixture
def tools() -> list[Tool]:
    doings = ("Search", "Book", "Cancel", "Rate", "Describe")
    things = ("flights", "hotels", "trains", "ferries", "museums")
    return [
        tool(f"{thing.title()}.{doing.lower()}", f"{doing} {thing} in a city.")
        for doing, thing in itertools.product(doings, things)
    ]


def codes_by_lot(count: int, seed: int) -> dict[int, tuple[int, ...]]:
    """Of one length, so that none is the beginning of another."""
    drawn = random.Random(seed)
    found: set[tuple[int, ...]] = set()
    while len(found) < count:
        found.add(tuple(drawn.randrange(5) for _ in range(3)))
    return dict(enumerate(sorted(found, key=lambda _: drawn.random()), RESERVED))


def scores_by_lot(words: tuple[int, ...]) -> Tensor:
    """Of the words behind these, as a model would give them: always the same."""
    seed = int("1" + "".join(map(str, words)))
    return 3 * torch.randn(5, generator=torch.Generator().manual_seed(seed))


def found_of(codes: dict[int, tuple[int, ...]], width: int) -> dict[int, float]:
    trie, alive = CodeTrie(codes), [()]

    def step(parents: list[int], words: list[int]) -> Tensor:
        alive[:] = [(*alive[n], word) for n, word in zip(parents, words, strict=True)]
        return torch.stack([scores_by_lot(own) for own in alive])

    found = search(trie, scores_by_lot(()), step, width)  # type: ignore[arg-type]
    return dict(zip(trie.slots.tolist(), found.tolist(), strict=True))


def exhaustive(codes: dict[int, tuple[int, ...]]) -> dict[int, float]:
    """Every code by itself: at each word the share among all that lead to some code."""
    found = {}
    for slot, code in codes.items():
        belief = 0.0
        for depth, word in enumerate(code):
            open_to = sorted({own[depth] for own in codes.values() if own[:depth] == code[:depth]})
            scores = scores_by_lot(code[:depth])[open_to]
            belief += float(scores.double().log_softmax(0)[open_to.index(word)])
        found[slot] = belief
    return found


@pytest.mark.parametrize("seed", range(5))
def test_a_wide_search_is_what_every_code_by_itself_is(seed: int) -> None:
    codes = codes_by_lot(60, seed)
    found, wanted = found_of(codes, 100), exhaustive(codes)

    assert found == pytest.approx(wanted, abs=1e-5)
    assert sum(map(math.exp, found.values())) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(5))
def test_a_narrow_search_still_shares_out_all_of_the_belief(seed: int) -> None:
    codes = codes_by_lot(60, seed)
    found, wanted = found_of(codes, 3), exhaustive(codes)

    assert sum(map(math.exp, found.values())) == pytest.approx(1)
    assert max(found, key=found.__getitem__) in sorted(wanted, key=wanted.__getitem__)[-5:]


def test_a_trie_of_some_tools_has_their_codes_alone() -> None:
    codes = codes_by_lot(30, 3)
    few = sorted(codes)[::4]
    trie = CodeTrie(codes).only([*few, 999])

    assert sorted(trie.slots.tolist()) == few
    assert [word for word, _ in trie.path(few[0])] == list(codes[few[0]])[: len(trie.path(few[0]))]
    assert CodeTrie({}).root.size == 0


@pytest.mark.parametrize("scheme", every(2, SCHEMES))
def test_codes_are_each_tools_own_and_no_beginning_of_anothers(
    scheme: Scheme, tools: list[Tool]
) -> None:
    artifact = coded(tools, scheme)
    codes = [slot.code for slot in artifact.manifest.shape.slots.tools]

    assert len(set(codes)) == len(tools)
    assert len(artifact.rows) < RESERVED + len(tools) or scheme in ("semantic", "numeric")
    assert all(a[: len(b)] != b for a, b in itertools.permutations(codes, 2))


def test_twins_are_told_apart_by_a_number() -> None:
    twins = [tool(f"Kit.{name}", "The same.") for name in ("a", "b", "c")]
    vectors = torch.ones(3, 4)
    _, codes = fitted("residual", vectors, 7).coded(twins, vectors, (), None)

    assert len({code[:-1] for code in codes}) == 1
    assert len(set(codes)) == 3


def test_numbers_that_are_used_up_are_one_clear_error() -> None:
    book = Codebook("numeric", tuple(f"0:{n}" for n in range(10)))
    many = [tool(f"Kit.n{n}", "x") for n in range(11)]
    with pytest.raises(InputError, match="codes"):
        book.coded(many, torch.zeros(11, 2), (), None)


def test_slots_whose_codes_meet_are_refused() -> None:
    with pytest.raises(ValidationError):
        Slots(
            tools=(
                Slot(tool_id=ToolId("A.a"), digest="", code=(3,)),
                Slot(tool_id=ToolId("A.b"), digest="", code=(3, 4)),
            )
        )


@pytest.mark.parametrize("kind", every(2, ["llama", "gpt2", "bert", "gemma"]))
def test_what_is_kept_of_earlier_tokens_changes_nothing(kind: str, tools: list[Tool]) -> None:
    """Every code in one pass of its own, against the search that goes on from what is kept."""
    from gretel.nodes.retrieve.language.base import CausalModel
    from toolgen_models import random_rows, tiny

    artifact = coded(tools, "residual")
    slots, book = artifact.manifest.shape.slots, artifact.book
    assert book
    base = CausalModel(str(tiny(kind)))
    model = CodedModel(base, random_rows(base, len(artifact.rows)), book, slots)
    model.trie = model.trie.only(slots.present())
    (prompt,) = base.prompts(["a flight to Oslo"])
    scores = model.read([prompt]).scores[0]

    for slot in slots.present()[::6]:
        belief, said = 0.0, list[int]()
        for word, words in model.trie.path(slot):
            (read,) = model.rows_read([[*prompt, *(base.vocabulary + own for own in said)]]).scores
            belief += float(read[words].double().log_softmax(0)[words.index(word)])
            said.append(word)
        assert float(scores[slot]) == pytest.approx(belief, abs=1e-3)
    assert float(scores[slots.present()].exp().sum()) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("mode", every(2, get_args(Mode)))
def test_nothing_but_permitted_tools_is_named(mode: Mode, tools: list[Tool]) -> None:
    artifact = coded(tools, "residual")
    model, drawn = opened(artifact), random.Random(3)
    present = artifact.manifest.shape.slots.present()
    for number in range(10):
        model.rows.out[drawn.randrange(len(model.rows))] = drawn.choice(NO_NUMBERS)
        permitted = drawn.sample(present, drawn.randrange(len(present)))
        how = Decoding(mode=mode, seed=number)
        (found,) = model.decode(["a flight"], permitted, 9, how)
        named = [each.slot for each in found]

        assert set(named) <= set(permitted)
        assert len(set(named)) == len(named)


@pytest.mark.parametrize("scheme", every(2, SCHEMES))
async def test_tools_come_change_and_go_without_training(
    scheme: Scheme, tools: list[Tool], tmp_path: Path
) -> None:
    write_artifact(coded(tools, scheme), tmp_path)
    catalog = Catalog.from_tools(tools)
    retriever = await ToolGenRetriever.open(tmp_path, catalog)
    before = retriever._model.rows_read(retriever._model.base.prompts(["a flight"])).scores
    new = tool("Balloons.quickly", "Rent a balloon for an afternoon.")
    await retriever.add([new, tool(tools[0].tool_id, "Something else.")])
    after = retriever._model.rows_read(retriever._model.base.prompts(["a flight"])).scores
    (found,) = await retriever.decode(["a flight"], k=99)

    torch.testing.assert_close(after[:, : before.shape[1]], before)
    assert {each.tool_id for each in found} == {each.tool_id for each in [*tools, new]}
    await retriever.remove([new.tool_id])
    assert (await retriever.decode(["a flight"], k=9, allow=[new.tool_id])) == [[]]

    grow(tmp_path, [new])
    again = read_artifact(tmp_path)
    assert new.tool_id in again.manifest.shape.slots.by_id()
    assert len(opened(again).texts(["a flight"]).scores[0]) == RESERVED + len(tools) + 1


def test_codes_of_words_that_are_not_there_are_a_damaged_file(
    tools: list[Tool], tmp_path: Path
) -> None:
    artifact = coded(tools, "residual")
    shape = artifact.manifest.shape
    far = shape.slots.recoded({RESERVED: (len(artifact.rows) + 5,)})
    manifest = artifact.manifest.model_copy(
        update={"shape": shape.model_copy(update={"slots": far})}
    )

    write_artifact(replace(artifact, manifest=manifest), tmp_path)
    with pytest.raises(IndexCorrupt):
        read_artifact(tmp_path)


def test_a_base_that_keeps_nothing_cannot_be_searched(
    tools: list[Tool], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = opened(coded(tools, "residual"))
    own = model.base.model.forward

    def forgetful(**given: object) -> object:
        made = own(**given)
        made.past_key_values = None
        return made

    monkeypatch.setattr(model.base.model, "forward", forgetful)
    with pytest.raises(ConfigurationError, match="codes atomic"):
        model.texts(["a flight"])


def test_a_tree_has_no_more_than_ten_branches() -> None:
    vectors = torch.randn(150, 8, generator=torch.Generator().manual_seed(1))
    book = fitted("hierarchical", vectors, 7)

    assert max(len(centres) for centres in book.centres.values()) <= 10
    assert np.isfinite(book.centres["all"].numpy()).all()
