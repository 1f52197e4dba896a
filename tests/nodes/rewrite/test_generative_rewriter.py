"""A trained rewriter that writes: what it says, what is made of it, and to what it belongs."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

import gretel
from fakes import FakeRewriter, request, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError, IndexCorrupt, ModelReplyError
from gretel.contracts.ranking import RetrievalQuery
from gretel.graph.build import build_graph
from gretel.graph.compose import compose
from gretel.nodes.context import Context
from gretel.nodes.retrieve.artifact.store import grow
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.rewrite.generative.artifact import Manifest, read_artifact, write_artifact
from gretel.nodes.rewrite.generative.rewriter import GenerativeRewriter, opened
from gretel.nodes.rewrite.generative.writer import MOST, Writer, Written
from lanes import every
from toolgen_models import KINDS, tiny
from writer_models import Says, untaught

BANK = tool("Bank.convert", "Convert an amount of money between currencies.")
SKY = tool("Sky.get_forecast", "Weather forecast of a city.")
FERRY = tool("Ferry.search", "Search ferries between two ports.")
TOOLS = [BANK, SKY, FERRY]
CATALOG = Catalog.from_tools(TOOLS)
ASK = "what is the greenback at"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_artifact(untaught(TOOLS), tmp_path / "art")
    return tmp_path / "art"


async def asked(said: str, *, ended: bool = True, text: str = ASK) -> list[RetrievalQuery]:
    rewriter = GenerativeRewriter(Says(said, ended=ended), 0.3, CATALOG)
    return await rewriter.rewrite(request(text))


async def test_each_line_is_a_query_beside_the_request_with_the_share_that_was_measured() -> None:
    found = await asked("convert: Convert money.\nget forecast: Weather of a city.\n")

    assert [(each.origin, each.weight) for each in found] == [
        ("request", None),
        ("rewrite", 0.3),
        ("rewrite", 0.3),
    ]
    assert [each.text for each in found[1:]] == [
        "convert: Convert money.",
        "get forecast: Weather of a city.",
    ]


async def test_lines_are_cleaned_few_and_all_different() -> None:
    said = f"a\u202e tool\u0000\n\nA Tool\n--- 12\n{ASK.upper()}\n{'b' * 900}\nc\nd\ne"
    found = await asked(said)

    assert [each.text for each in found] == [ASK, "A Tool", "b" * 299 + "…", "c"]


@pytest.mark.parametrize("said", ["", " \n\t\n", "\u200b\u202e", "!!! 12 \n --- \n {}"])
async def test_what_is_no_query_is_an_unusable_reply(said: str) -> None:
    with pytest.raises(ModelReplyError, match="no query"):
        await asked(said)


async def test_what_does_not_end_is_an_unusable_reply() -> None:
    with pytest.raises(ModelReplyError, match=f"no end within {MOST} tokens"):
        await asked("convert: Convert money.\nconvert: Con", ended=False)


async def test_an_empty_request_is_left_alone() -> None:
    assert await asked("convert: Convert money.", text=" ") == [RetrievalQuery(text=" ")]


@pytest.mark.slow
async def test_in_a_graph_an_unusable_reply_leaves_the_request_and_a_note(
    folder: Path,
) -> None:
    """The base is random: it runs on until it is stopped."""
    selection = await gretel.Selector(CATALOG, rewriter=folder).aselect("weather forecast of Oslo")
    alone = await gretel.Selector(CATALOG, rewriter="none").aselect("weather forecast of Oslo")

    assert [each.tool_id for each in selection.tools] == [each.tool_id for each in alone.tools]
    assert [note for note in selection.notes if note.startswith("rewrite:")] == [
        f"rewrite: the trained rewriter wrote no end within {MOST} tokens; "
        "the request itself was the query"
    ]


@pytest.mark.slow
async def test_in_a_graph_a_slow_reply_leaves_the_request_and_a_note() -> None:
    class Slow(Says):
        def write(self, requests: Sequence[str]) -> list[Written]:
            time.sleep(0.2)
            return super().write(requests)

    rewriter = GenerativeRewriter(Slow("search: Ferries between ports."), 1.0, CATALOG)
    selector = gretel.Selector(CATALOG, rewriter=rewriter)
    await selector.aselect("weather forecast of Oslo")  # opens the retriever
    short = gretel.Budget(wall_s=0.5)
    selection = await selector.aselect("weather forecast of Oslo", budget=short)

    assert any(note.startswith("rewrite: no reply within") for note in selection.notes)


async def test_opening_takes_none_of_the_step_s_time(folder: Path) -> None:
    """`prepare` is awaited before any step asks."""
    parts = compose(CATALOG, rewriter=folder)
    assert parts.rewriter is not None
    opened_first: list[str] = []

    async def prepare() -> None:
        opened_first.append("opened")

    class Asked(FakeRewriter):
        async def rewrite(self, *given: object, **more: object) -> list[RetrievalQuery]:
            opened_first.append("asked")
            return await super().rewrite(*given, **more)  # type: ignore[arg-type]

    graph = build_graph(replace(parts, rewriter=Asked(), prepare=prepare))
    await graph.ainvoke({"request": "weather"}, context=Context())

    assert opened_first == ["opened", "asked"]


@pytest.mark.slow
async def test_queries_change_the_order_by_their_share() -> None:
    async def order(weight: float) -> list[str]:
        rewriter = GenerativeRewriter(Says("search: Ferries between ports."), weight, CATALOG)
        selector = gretel.Selector(CATALOG, rewriter=rewriter)
        return [one.tool_id for one in (await selector.aselect("weather forecast", k=3)).tools]

    assert (await order(0.01))[0] == SKY.tool_id
    assert (await order(1.0))[0] == FERRY.tool_id


async def test_where_nothing_helped_the_base_is_not_even_opened(tmp_path: Path) -> None:
    artifact = untaught(TOOLS, weight=0.0)
    shape = artifact.manifest.shape.model_copy(update={"base": "/nowhere"})
    write_artifact(
        replace(artifact, manifest=artifact.manifest.model_copy(update={"shape": shape})),
        tmp_path / "art",
    )
    rewriter = await GenerativeRewriter.open(tmp_path / "art", CATALOG)

    assert await rewriter.rewrite(request(ASK)) == [RetrievalQuery(text=ASK)]


def test_an_artefact_is_what_was_written(folder: Path) -> None:
    artifact = read_artifact(folder)
    base = opened(artifact).base

    assert artifact.manifest.calibration.weight == 0.3
    assert torch.equal(
        base.weights.known["model.norm.weight"], artifact.weights["model.norm.weight"]
    )


async def test_a_tool_that_is_added_on_disk_belongs_to_it(folder: Path) -> None:
    rail = tool("Rail.search", "Trains between two stations.")
    grow(folder, [rail])

    await GenerativeRewriter.open(folder, Catalog.from_tools([*TOOLS, rail]))
    with pytest.raises(ConfigurationError, match="another catalogue"):
        await GenerativeRewriter.open(folder, CATALOG)


async def test_another_encoder_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match="is not the encoder"):
        await GenerativeRewriter.open(folder, CATALOG, encoder="another")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"base": "/nowhere"}, "cannot be used"),
        ({"base_digest": "0"}, "other weights or another tokenizer"),
        ({"vocabulary": 7}, "other weights or another tokenizer"),
    ],
)
async def test_another_base_is_refused(changed: dict[str, Any], why: str, tmp_path: Path) -> None:
    artifact = untaught(TOOLS)
    shape = artifact.manifest.shape.model_copy(update=changed)
    manifest: Manifest = artifact.manifest.model_copy(update={"shape": shape})
    write_artifact(replace(artifact, manifest=manifest), tmp_path / "art")
    with pytest.raises(ConfigurationError, match=why):
        await GenerativeRewriter.open(tmp_path / "art", CATALOG)


@pytest.mark.parametrize("name", ["base.safetensors", "tools.npz", "manifest.json"])
@pytest.mark.parametrize("harm", [Path.unlink, lambda path: path.write_bytes(b"{}")])
def test_a_damaged_artefact_is_refused(
    name: str, harm: Callable[[Path], object], folder: Path
) -> None:
    harm(folder / name)
    with pytest.raises((IndexCorrupt, ConfigurationError)):
        read_artifact(folder)


def test_weights_of_another_form_are_refused(tmp_path: Path) -> None:
    artifact = replace(untaught(TOOLS), weights={"model.norm.weight": torch.ones(3)})
    write_artifact(artifact, tmp_path / "art")
    with pytest.raises(ConfigurationError, match="no weights"):
        opened(read_artifact(tmp_path / "art"))


def test_it_goes_with_the_semantic_retriever_alone(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match="semantic"):
        compose(CATALOG, retriever="masstool", artifact=folder, rewriter=folder)


async def test_a_folder_that_says_nothing_is_told_by_who_opens_it(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps([1]))
    selector = gretel.Selector(CATALOG, rewriter=tmp_path)
    with pytest.raises((IndexCorrupt, ConfigurationError)):
        await selector.aselect("weather")


@pytest.mark.slow
@pytest.mark.parametrize("kind", every(5, KINDS[:5]))
def test_what_is_written_does_not_hang_on_what_stands_beside_it(kind: str) -> None:
    writer = Writer(CausalModel(str(tiny(kind))))
    texts = ["a", "a much longer request for a hotel"]

    assert writer.write(texts) == [writer.write([text])[0] for text in texts]


@pytest.mark.slow
def test_drawn_texts_are_those_of_their_seed() -> None:
    writer = Writer(CausalModel(str(tiny())))
    drawn = [writer.sample(["a", "b"], 3, seed=seed) for seed in (1, 1, 2)]

    assert drawn[0] == drawn[1] != drawn[2]
    assert [len(each) for each in drawn[0]] == [3, 3]


def test_a_right_answer_ends_and_is_no_longer_than_what_is_written() -> None:
    writer = Writer(CausalModel(str(tiny())))

    assert writer.target(["a", "b"])[-1] == writer.end
    assert len(writer.target(["x" * 500])) == MOST
    assert writer.end not in writer.target(["<s> a"])[:-1]
    assert Written("a\nb", True).queries == ["a", "b"]


def test_a_base_without_an_end_is_refused() -> None:
    base = CausalModel(str(tiny()))
    base.tokenizer.eos_token = None
    with pytest.raises(ConfigurationError, match="ends a text"):
        Writer(base)
