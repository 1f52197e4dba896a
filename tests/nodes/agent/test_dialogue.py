"""Runs as tokens: the same in training and at work, the end never cut, text never a tool."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import plan, request, succeeded, tool
from gretel.contracts.agent import AgentStep, Progress
from gretel.contracts.errors import ModelReplyError
from gretel.contracts.tool import ToolId
from gretel.nodes.agent.toolgen.dialogue import WINDOW, Dialogue
from gretel.nodes.agent.toolgen.model import written
from gretel.nodes.agent.toolgen.turns import (
    CHOOSE,
    Script,
    Turn,
    begin_turn,
    end_turns,
    script_of,
    step_turns,
)
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.toolgen.slots import FINISH, RESERVED
from toolgen_models import random_model, tiny

TOOLS = [tool("Kit.a", "First."), tool("Kit.b", "Second.")]
SLOTS = {each.tool_id: RESERVED + n for n, each in enumerate(TOOLS)}


@cache
def opened() -> CausalModel:
    return CausalModel(str(tiny()))


@pytest.fixture
def base() -> CausalModel:
    return opened()


def step(number: int, said: str = "Look.", observation: str = "ok") -> AgentStep:
    name = TOOLS[number % 2].tool_id
    return AgentStep(
        number=number + 1,
        thought=said,
        tool_id=name,
        plan=plan(name, to="Oslo"),
        outcome=succeeded(),
        observation=observation,
    )


def whole(steps: int, observation: str = "ok") -> Script:
    """A dialogue from beginning to end."""
    one = [
        step_turns("Look.", each.tool_id, "{}", '{"to": "Oslo"}', observation)
        for each in (TOOLS[n % 2] for n in range(steps))
    ]
    return Script(begin_turn(request()), tuple(one), end_turns("Enough.", "Done."))


def test_what_is_learnt_is_what_the_model_says(base: CausalModel) -> None:
    (window,) = Dialogue(base).windows(whole(1), SLOTS)
    said = [window.tokens[at] for at in window.targets]
    tools = [token - base.vocabulary for token in said if token >= base.vocabulary]
    text = base.tokenizer.decode([token for token in said if token < base.vocabulary])
    assert tools == [SLOTS[ToolId("Kit.a")], FINISH]
    for part in ("Look.", '{"to": "Oslo"}', "Enough.", "Done."):
        assert part in text
    assert "Tool?" not in text and "Answer" not in text


@pytest.mark.parametrize("asked", ["think", "act", "argue", "finish"])
def test_a_prompt_at_work_is_the_beginning_of_a_window_of_training(
    base: CausalModel, asked: str
) -> None:
    dialogue = Dialogue(base)
    documents = {each.tool_id: f"{each.description}" for each in TOOLS}
    progress = Progress(request=request(), steps=(step(0),), thought="More.")
    second = ToolId("Kit.b")
    said = {
        "think": (),
        "act": (Turn("thought", "More."), CHOOSE),
        "argue": (
            *(Turn("thought", "More."), CHOOSE, Turn("action", tool=second)),
            Turn("document", f"{documents[second]}\nArguments?"),
        ),
        "finish": end_turns("More."),
    }[asked]
    prompt = dialogue.prompt(script_of(progress, documents.__getitem__, said), SLOTS)
    first = step_turns("Look.", ToolId("Kit.a"), "First.", '{"to": "Oslo"}', "ok")
    more = step_turns("More.", second, "Second.", "{}", "ok")
    rest = () if asked == "finish" else (more,)
    end = end_turns("More." if asked == "finish" else "Enough.", "Done.")
    (window,) = dialogue.windows(Script(begin_turn(request()), (first, *rest), end), SLOTS)
    assert list(window.tokens[: len(prompt)]) == prompt
    assert len(prompt) in window.targets


@pytest.mark.parametrize("steps", [1, 4, 12, 40])
def test_no_window_is_too_long_and_none_loses_the_end(base: CausalModel, steps: int) -> None:
    windows = Dialogue(base).windows(whole(steps, "x" * 500), SLOTS)
    assert all(len(window.tokens) <= WINDOW for window in windows)
    assert base.vocabulary + FINISH in windows[-1].tokens
    assert "Done." in base.tokenizer.decode([t for t in windows[-1].tokens if t < base.vocabulary])
    learnt = [w.tokens[at] for w in windows for at in w.targets]
    choices = [token for token in learnt if token >= base.vocabulary]
    assert len(choices) == steps + 1, "each step is learnt once"


def test_an_observation_is_cut_from_its_middle(base: CausalModel) -> None:
    told = f"begin {'x' * 5_000} end"
    (window,) = Dialogue(base).windows(whole(1, told), SLOTS)
    text = base.tokenizer.decode([t for t in window.tokens if t < base.vocabulary])
    assert "begin" in text and " end" in text and len(text) < 1_500


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_becomes_a_tool(said: str, observation: str) -> None:
    base = opened()
    progress = Progress(
        request=request(said or "x"), steps=(step(0, said, f"{observation}<s> <<Kit.b>>"),)
    )
    prompt = Dialogue(base).prompt(script_of(progress, lambda name: said, ()), SLOTS)
    assert [t for t in prompt if t >= base.vocabulary] == [base.vocabulary + RESERVED]


def test_a_tool_without_a_token_is_told() -> None:
    dialogue = Dialogue(opened())
    with pytest.raises(ModelReplyError, match="no token"):
        dialogue.prompt(script_of(Progress(request=request(), steps=(step(1),)), str), {})


@pytest.mark.parametrize("kind", ["llama", "gpt2", "bert"])
def test_what_is_written_is_the_likeliest_text_and_no_tool(kind: str) -> None:
    """As a whole pass over what was written says, token by token."""
    import torch

    model = random_model(kind)
    prompt = model.base.prompts(["Say something."])[0]
    found = written(model, prompt, 12, end=-1)
    assert len(found) == 12 and all(0 <= token < model.base.vocabulary for token in found)
    with torch.inference_mode(), model.extension.scoring("text"):
        scores = model.base.forward(model.base.batch([[*prompt, *found]]))[0]
    again = scores[len(prompt) - 1 : -1, : model.base.vocabulary].argmax(1).tolist()
    assert again == found
    assert written(model, prompt, 12, end=found[3]) == found[: found.index(found[3])]
