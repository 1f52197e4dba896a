"""The written requests that the encoder is tuned on, and its training on a few of them."""

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from gretel.nodes.retrieve.encoding.bundled import BundledModel
from gretel.nodes.retrieve.encoding.encoder import MAX_TOKENS, Encoder, default_model_path
from gretel.training import encoder as training
from gretel.training.data import written as data
from gretel.training.data.token_states import Texts
from gretel.training.data.written import written_calls, written_collections, written_texts
from gretel.training.encoder import Case, loss_of, reached, train
from unencoded import Unencoded

WRITTEN = Path(__file__).parents[2] / "benchmarks" / "written"
PAIRS = [
    ("invoices of March", "restart a server"),
    ("reboot it", "list invoices"),
    ("rain tomorrow?", "add a member"),
    ("let Ann in", "get the forecast"),
]
"""Pairs that no encoder has yet."""


@pytest.fixture(scope="module", autouse=True)
def corpora_are_read_once() -> Iterator[None]:
    """Large ones take seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "_by_line", cache(data._by_line))
        yield


@pytest.fixture(scope="module")
def slices() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((WRITTEN / "slices.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def requests() -> list[dict[str, Any]]:
    lines = (WRITTEN / "requests.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_each_request_is_of_a_slice_and_said_once(
    slices: dict[str, Any], requests: list[dict[str, Any]]
) -> None:
    assert {each["slice"] for each in requests} == slices.keys()
    assert len({(each["slice"], each["text"]) for each in requests}) == len(requests)


def test_no_vendor_is_in_both_parts(slices: dict[str, Any]) -> None:
    parts: dict[str, set[str]] = {}
    for name, each in slices.items():
        parts.setdefault(name.partition("#")[0], set()).add(each["part"])
    assert all(len(found) == 1 for found in parts.values())
    assert {part for found in parts.values() for part in found} == {"train", "dev"}


@pytest.mark.slow
def test_the_values_of_a_request_are_of_parameters_of_its_tool(data_dir: Path) -> None:
    for name in ("arazzo", "livemcp"):
        if not (data_dir / name).is_dir():
            pytest.skip(f"no {name} in {data_dir}, whose tools were asked for")
    calls = list(written_calls(data_dir, WRITTEN, "dev"))
    assert len(calls) == 750
    own = [
        asked["arguments"].keys() <= {each.wire_name for each in tool.parameters}
        for asked, tool in calls
    ]
    assert sum(own) > 0.95 * len(calls)  # a few are of what a body leaves open


def test_english_texts_of_one_part_are_read_once(tmp_path: Path) -> None:
    parts = {"bank": "train", "zoo": "train", "mill": "dev"}
    asked = [
        ("zoo", "en", "feed the lion"),
        ("bank", "en", "what do I own"),
        ("bank", "de", "was besitze ich"),
        ("zoo", "en", "what do I own"),
        ("mill", "en", "grind it"),
    ]
    slices = {name: {"part": part} for name, part in parts.items()}
    (tmp_path / "slices.json").write_text(json.dumps(slices))
    rows = ({"slice": own, "language": code, "text": text} for own, code, text in asked)
    (tmp_path / "requests.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    assert written_texts(tmp_path, "train") == ["feed the lion", "what do I own"]
    assert written_texts(tmp_path, "dev") == ["grind it"]


@pytest.mark.slow
def test_right_tools_stand_in_their_catalogue(data_dir: Path) -> None:
    found = written_collections(data_dir, WRITTEN, "dev", Unencoded())

    assert sum(len(each.requests) for each in found) == 750
    assert all(request.gold for each in found for request in each.requests)
    assert all(
        max(request.gold) < len(each.index.tools) for each in found for request in each.requests
    )


def test_operations_of_a_document_are_named_by_it_method_and_path(tmp_path: Path) -> None:
    answer = {"responses": {"200": {"description": "ok"}}}
    paths = {f"/{each}": {"get": {"summary": f"List {each}"} | answer} for each in ("a", "b", "c")}
    document = {"openapi": "3.0.0", "info": {"title": "Zoo", "version": "1"}, "paths": paths}
    (tmp_path / "zoo.org").mkdir()
    (tmp_path / "zoo.org" / "v1.json").write_text(json.dumps(document))
    own = {"collection": "x", "document": "zoo.org/v1", "part": "train", "operations": [1, 3]}
    (tmp_path / "slices.json").write_text(json.dumps({"zoo": own}))
    asked = {"slice": "zoo", "tool": "zoo.org/v1::GET /c", "text": "all c", "language": "en"}
    (tmp_path / "requests.jsonl").write_text(json.dumps(asked | {"arguments": {}}))

    (found,) = written_collections(tmp_path, tmp_path, "train", Unencoded(), tmp_path)

    assert [tool.operation for tool in found.index.tools] == ["get_b", "get_c"]
    assert found.requests[0].gold == {1}
    assert not written_collections(tmp_path, tmp_path, "train", Unencoded())
    ((said, tool),) = written_calls(tmp_path, tmp_path, "train", tmp_path)
    assert (said["text"], tool.operation) == ("all c", "get_c")
    assert not [*written_calls(tmp_path, tmp_path, "train")]


@pytest.fixture(scope="module")
def model() -> BundledModel:
    return BundledModel(default_model_path(), max_tokens=MAX_TOKENS)


@pytest.fixture
def lessons(model: BundledModel) -> tuple[Texts, list[Case]]:
    texts = Texts()
    tools = [texts.place(tool) for _, tool in PAIRS]
    cases = [
        Case(texts.place(asked), (own,), tuple(tools))
        for (asked, _), own in zip(PAIRS, tools, strict=True)
    ]
    texts.read(model)
    return texts, cases


@pytest.mark.slow
def test_training_puts_right_tools_first(
    lessons: tuple[Texts, list[Case]], model: BundledModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, cases = lessons
    monkeypatch.setattr(training, "BATCH", 4)
    monkeypatch.setattr(training, "RATE", 5e-4)
    before = reached(cases, texts, nn.ModuleList(model.plain()))

    changes = train(cases, cases, texts, model, epochs=4, seed=7)

    made = nn.ModuleList(training.changed(model.plain(), changes))
    assert before < 1
    assert reached(cases, texts, made) == 1


@pytest.mark.slow
def test_another_right_tool_is_no_negative(
    lessons: tuple[Texts, list[Case]], model: BundledModel
) -> None:
    texts, cases = lessons
    layers = nn.ModuleList(model.plain())
    one = cases[0]
    two = one._replace(right=(*one.right, cases[1].right[0]))

    def loss(case: Case) -> float:
        with torch.no_grad():
            return min(
                float(loss_of([case], texts, layers, random.Random(seed))) for seed in range(5)
            )

    assert loss(two) < loss(one)


def test_texts_are_read_as_the_encoder_reads_them(
    lessons: tuple[Texts, list[Case]], model: BundledModel
) -> None:
    texts, cases = lessons
    with torch.no_grad():
        found = texts.vectors([case.asked for case in cases], nn.ModuleList(model.plain()))

    wanted = Encoder().queries([asked for asked, _ in PAIRS])
    assert ((found.numpy() * wanted).sum(1) > 0.999).all()
