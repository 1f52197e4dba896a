"""A model is used in the steps in which it was shown to be better, and in no other."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_runs import THINGS, WordRetriever, small_dataset, small_evaluation

from gretel.contracts.calibration import Calibration
from gretel.contracts.errors import InputError
from gretel.datasets.judged import Dataset, GoldCall
from gretel.evaluation.calibration.run import Measuring
from gretel.evaluation.calibration.verdicts import StepVerdict
from llm_server import DROP, Call, LlmServer, Reply, good, text

SIZE = 16


def dataset() -> Dataset:
    """Requests that name two cities, of which the second is meant: no rule knows that."""
    data = small_dataset(SIZE)
    known = tuple(
        replace(
            each,
            gold_calls=tuple(
                GoldCall(tool_id, {"city": "Paris"})
                for tool_id in sorted(each.gold)
                if not tool_id.endswith(".list")
            ),
        )
        for each in data.requests
    )
    return replace(data, requests=known)


def knowing_order(call: Call) -> Reply:
    """The candidates that the request names, first."""
    lines = [json.loads(line) for line in call.block("candidates").splitlines()]
    said = call.block("request").split()
    right = [f"{said[2]}.{said[0]}", f"{said[2]}.find"]
    order = sorted(lines, key=lambda c: f"{c['toolkit']}.{c['operation']}" not in right)
    return good({"ranking": [line["candidate"] for line in order], "reasons": {}})


def reversed_order(call: Call) -> Reply:
    numbers = range(len(call.block("candidates").splitlines()), 0, -1)
    return good({"ranking": [*numbers], "reasons": {}})


def paris(call: Call) -> Reply:
    said = "Paris" in call.block("request")
    arguments = {"city": "Paris" if said else None} if "city" in call.block("tool") else {}
    return good({"off_topic": False, "arguments": arguments, "quotes": {}})


def tokyo(call: Call) -> Reply:
    return good({"off_topic": False, "arguments": {"city": "Tokyo"}, "quotes": {}})


def nonsense(call: Call) -> Reply:
    return good({"queries": ["stock recipe concert"]})


async def measured(
    llm: LlmServer, folder: Path, **replies: Any
) -> tuple[Calibration, dict[str, StepVerdict]]:
    for step, reply in replies.items():
        llm.script(step, reply)
    data = dataset()
    evaluation = small_evaluation(
        dataset=data,
        pipelines=("retrieval", "full"),
        world="values",
        retriever=WordRetriever(data.catalog),
    )
    measuring = Measuring(evaluation, llm.model())
    calibration, found = await measuring.run(folder / "c.json", folder / "c.work")
    return calibration, {verdict.step: verdict for verdict in found}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    assert len(THINGS) == 8
    yield tmp_path


@pytest.fixture(scope="module")
async def once(
    running_llm: LlmServer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Calibration, Path]:
    """A measurement, and the folder that it left; to be copied."""
    running_llm.reset()
    folder = tmp_path_factory.mktemp("once")
    calibration, _ = await measured(running_llm, folder, rerank=knowing_order)
    return calibration, folder


@pytest.fixture
def asked(once: tuple[Calibration, Path], folder: Path) -> Path:
    """What was asked in that measurement, where `folder` goes on with it."""
    shutil.copytree(once[1], folder, dirs_exist_ok=True)
    return folder / "c.work" / "asked.jsonl"


@pytest.mark.slow
async def test_a_step_is_used_where_it_is_better_by_more_than_chance(
    llm: LlmServer, folder: Path
) -> None:
    calibration, found = await measured(llm, folder, plan=paris, rewrite=nonsense)

    assert "plan" in calibration.steps and "rewrite" not in calibration.steps
    assert found["plan"].model > found["plan"].rules
    assert found["plan"].needed is not None
    assert calibration.trust["request"] > 0.8
    assert calibration.trust["invented"] == 0.5, "never seen: a coin"
    assert Calibration.model_validate_json((folder / "c.json").read_text()) == calibration
    assert calibration.measured["plan"]["use"] is True  # type: ignore[index,call-overload]


@pytest.mark.slow
async def test_a_model_that_makes_up_values_is_not_trusted(llm: LlmServer, folder: Path) -> None:
    calibration, found = await measured(llm, folder, plan=tokyo, rerank=reversed_order)

    assert calibration.trust["invented"] < 0.1
    assert not {"plan", "rerank"} & calibration.steps
    assert found["plan"].model == found["plan"].rules, "its values never come through"
    alone, both = found["plan"].more["model_alone"], found["plan"].more["both"]
    assert (alone["invented"] > 0, both["invented"]) == (True, 0)  # type: ignore[index,call-overload]


@pytest.mark.slow
async def test_unusable_replies_are_the_rules_own_results(llm: LlmServer, folder: Path) -> None:
    calibration, found = await measured(
        llm, folder, plan=text("no"), rewrite=DROP, rerank=text("no"), simulate=text("no")
    )

    assert calibration.steps == frozenset()
    for verdict in found.values():
        assert verdict.model == verdict.rules
        assert verdict.unusable > 0
        assert verdict.needed is None, "nothing says how gains would be spread"


@pytest.mark.slow
async def test_what_was_asked_is_not_asked_again(
    once: tuple[Calibration, Path], asked: Path, llm: LlmServer, folder: Path
) -> None:
    first, lines = once[0], asked.read_text().splitlines()
    asked.write_text("\n".join(lines[:-3]) + "\n")

    again, _ = await measured(llm, folder, rerank=knowing_order)

    assert 0 < len(llm.requests) <= 3 * 4, "three steps, some of several replies"
    assert (again.steps, again.trust, again.margin) == (first.steps, first.trust, first.margin)


@pytest.mark.slow
async def test_another_measurement_is_not_mixed_in(
    asked: Path, llm: LlmServer, folder: Path
) -> None:
    asked.write_text('{"key": "other", "step": "plan", "request_id": "q 1"}\n')

    with pytest.raises(InputError, match="of another model, data set or version"):
        await measured(llm, folder)


@pytest.mark.slow
async def test_what_names_no_tool_or_request_of_the_run_is_damaged(
    asked: Path, llm: LlmServer, folder: Path
) -> None:
    lines = [json.loads(line) for line in asked.read_text().splitlines()]
    first = next(line for line in lines if line["step"] == "rerank")
    for change in ({"ranking": ["no.such"]}, {"request_id": "no such"}):
        asked.write_text(json.dumps(first | change) + "\n")
        with pytest.raises(InputError, match="is damaged"):
            await measured(llm, folder)
