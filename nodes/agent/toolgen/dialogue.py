"""Turns as tokens: as a chat model was taught them, or between the tokenizer's own marks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gretel.contracts.errors import ModelReplyError
from gretel.contracts.tool import ToolId
from gretel.nodes.agent.toolgen.turns import Kind, Script, Turn
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.toolgen.slots import FINISH

LONGEST: Mapping[Kind, int] = {
    "request": 320, "thought": 48, "choose": 8, "action": 1, "document": 240, "arguments": 128,
    "observation": 128, "ask": 8, "answer": 96,
}  # fmt: skip
"""Tokens of each kind of turn; what is longer is cut from its middle."""
WINDOW = 1_024
"""Tokens of a dialogue at most; a longer one loses its oldest steps, and never its end."""
_CHARACTERS = 12
"""Of a token at most: what is behind is not even read."""
_A, _B, _C = "first", "second", "third"


class Marks(NamedTuple):
    """Tokens around turns."""

    begin: tuple[int, ...]
    to_model: tuple[int, ...]
    """Between what is told and what the model says."""
    to_user: tuple[int, ...]
    """Between what the model says and what it is told; its first token ends the model's turn."""

    @property
    def end(self) -> int:
        """The token by which the model ends its turn."""
        return self.to_user[0]


class Window(NamedTuple):
    """A dialogue as tokens, and which of them are learnt."""

    tokens: tuple[int, ...]
    targets: tuple[int, ...]
    """Places of the tokens that the model is to say."""


class Dialogue:
    """Writes turns in the tokens of one model."""

    def __init__(self, base: CausalModel) -> None:
        self._tokenizer = base.tokenizer
        self._vocabulary = base.vocabulary
        self.marks = _marks(base)

    def prompt(self, script: Script, slots: Mapping[ToolId, int]) -> list[int]:
        """All that stands before the model's next word."""
        window = self._window(script.turns(self._first_fitting(script, slots)), slots)
        return [*window.tokens, *self.marks.to_model]

    def windows(self, script: Script, slots: Mapping[ToolId, int]) -> list[Window]:
        """A whole dialogue to learn from, each step in one window and the end in the last.

        Steps that do not fit beside the end get windows of their own, in front.
        """
        last = self._first_fitting(script, slots)
        found = [self._window(script.turns(last), slots)]
        while last > 0:
            part = Script(script.begin, script.steps[:last])
            start = self._first_fitting(part, slots)
            found.insert(0, self._window(part.turns(start), slots))
            last = start
        return found

    def text(self, tokens: Sequence[int]) -> str:
        """What the model said."""
        return str(self._tokenizer.decode(list(tokens), skip_special_tokens=True))

    def _first_fitting(self, script: Script, slots: Mapping[ToolId, int]) -> int:
        """The first step that may stay; the last step stays in any case where there is no end."""
        least = len(script.steps) if script.end else max(0, len(script.steps) - 1)
        left = WINDOW - len(self.marks.begin) - 1 - self._size((script.begin, *script.end), slots)
        for since in range(len(script.steps), 0, -1):
            left -= self._size(script.steps[since - 1], slots)
            if left < 0:
                return min(since, least)
        return 0

    def _size(self, turns: Sequence[Turn], slots: Mapping[ToolId, int]) -> int:
        """Tokens of turns, each with the marks before it."""
        marks = max(len(self.marks.to_model), len(self.marks.to_user))
        return sum(marks + len(self._own(turn, slots)) for turn in turns)

    def _window(self, turns: Sequence[Turn], slots: Mapping[ToolId, int]) -> Window:
        tokens: list[int] = [*self.marks.begin]
        targets: list[int] = []
        for place, turn in enumerate(turns):
            if place:
                tokens += self.marks.to_model if turn.learnt else self.marks.to_user
            own = self._own(turn, slots)
            if turn.learnt:
                ends = turn.kind != "action"  # a choice is whole as it is
                targets += range(len(tokens), len(tokens) + len(own) + ends)
            tokens += own
        if turns[-1].learnt:
            tokens += self.marks.to_user[:1]
        return Window(tuple(tokens), tuple(targets))

    def _own(self, turn: Turn, slots: Mapping[ToolId, int]) -> list[int]:
        if turn.kind == "action":
            slot = FINISH if turn.tool is None else slots.get(turn.tool)
            if slot is None:
                raise ModelReplyError(f"{turn.tool} has no token")
            return [self._vocabulary + slot]
        most = LONGEST[turn.kind]
        own = self._read(_ends(turn.text, most * _CHARACTERS))
        return own if len(own) <= most else [*own[: most - most // 2], *own[-(most // 2) :]]

    def _read(self, text: str) -> list[int]:
        read = self._tokenizer(text, add_special_tokens=False, split_special_tokens=True)
        return list(read["input_ids"])


def _ends(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - most // 2] + text[-(most // 2) :]


def _marks(base: CausalModel) -> Marks:
    tokenizer: Any = base.tokenizer
    if not getattr(tokenizer, "chat_template", None):
        before, after = base.template.before, base.template.after
        return Marks(before, after, after)
    said = [
        {"role": "user", "content": _A},
        {"role": "assistant", "content": _B},
        {"role": "user", "content": _C},
    ]
    whole = tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True)
    begin, _, rest = whole.partition(_A)
    to_model, _, rest = rest.partition(_B)
    to_user = rest.partition(_C)[0]
    pieces = [
        tuple(tokenizer(each, add_special_tokens=False)["input_ids"])
        for each in (begin, to_model, to_user)
    ]
    return Marks(*pieces)
