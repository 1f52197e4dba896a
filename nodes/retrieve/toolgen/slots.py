"""Which tool has which token: places that are only ever appended to."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Self, TypeAlias

from pydantic import Field, model_validator

from gretel.contracts.errors import InputError
from gretel.contracts.record import Record
from gretel.contracts.tool import ToolId

FINISH, NONE, STOP = 0, 1, 2
"""Slots of no tool: an agent has finished, no tool is needed, no further tool is needed."""
RESERVED = 3
"""How many slots are no tool's."""

LONGEST_CODE = 64
"""Rows that say one tool, at most."""

Status: TypeAlias = Literal["trained", "new", "gone"]
"""Learnt from requests; known by its document alone; removed, its token never another's."""


class Slot(Record):
    """One tool's place."""

    tool_id: ToolId
    digest: str
    """Content hash of the tool whose document the row was made from."""
    status: Status = "new"
    aliases: tuple[ToolId, ...] = ()
    """Ids that the tool had before; they lead to it."""
    code: tuple[int, ...] = Field(
        default=(), max_length=LONGEST_CODE, exclude_if=lambda own: not own
    )
    """Rows that are said one after another for this tool; none: the one of its slot."""


class Slots(Record):
    """All places, in the order of their tokens: tool `n` has slot `RESERVED + n`. Never changed."""

    tools: tuple[Slot, ...] = Field(default=(), max_length=1 << 24)

    @model_validator(mode="after")
    def _one_place_each(self) -> Self:
        names = [name for slot in self.present() for name in self._names(slot)]
        if len(set(names)) != len(names):
            raise ValueError("one tool has two places")
        codes = sorted(slot.code for slot in self.tools)
        if codes and codes[-1] and not all(map(_apart, codes, codes[1:])):
            raise ValueError("a tool's code is another's, or its beginning")
        return self

    def __len__(self) -> int:
        """Slots, the reserved ones too."""
        return RESERVED + len(self.tools)

    def present(self) -> list[int]:
        """Slots of the tools that can be retrieved."""
        return [RESERVED + n for n, tool in enumerate(self.tools) if tool.status != "gone"]

    def with_status(self, status: Status) -> list[int]:
        """Slots of the tools of a status."""
        return [RESERVED + n for n, tool in enumerate(self.tools) if tool.status == status]

    def at(self, slot: int) -> Slot:
        """The tool at a slot; IndexError where none was ever."""
        if slot < RESERVED:
            raise IndexError(slot)
        return self.tools[slot - RESERVED]

    def codes(self) -> dict[int, tuple[int, ...]]:
        """Of the slots that can be named, those of no tool among them."""
        own = {slot: self.at(slot).code or (slot,) for slot in self.present()}
        return {slot: (slot,) for slot in range(RESERVED)} | own

    def by_id(self) -> dict[ToolId, int]:
        """Slots of the tools that are there, by their ids and the ids that they had."""
        return {name: slot for slot in self.present() for name in self._names(slot)}

    def _names(self, slot: int) -> tuple[ToolId, ...]:
        tool = self.at(slot)
        return (tool.tool_id, *tool.aliases)

    def appended(self, tools: Iterable[Slot]) -> "Slots":
        """With more tools behind; what had their ids is gone."""
        more = tuple(tools)
        gone = self.removed([slot.tool_id for slot in more])
        return Slots(tools=gone.tools + more)

    def updated(self, digests: Mapping[int, str]) -> "Slots":
        """With other documents of tools that stay in their places, by slot."""
        return self._with({slot: {"digest": said} for slot, said in digests.items()})

    def recoded(self, codes: Mapping[int, tuple[int, ...]]) -> "Slots":
        """With other codes, by slot."""
        return self._with({slot: {"code": code} for slot, code in codes.items()})

    def removed(self, ids: Sequence[ToolId]) -> "Slots":
        """Without these tools; unknown ids are ignored."""
        here = self.by_id()
        gone = {here[name] for name in ids if name in here}
        return self._with({slot: {"status": "gone", "aliases": ()} for slot in gone})

    def renamed(self, old: ToolId, new: ToolId) -> "Slots":
        """With another id of a tool, which is what it was: requests learnt under the old id count.

        Raises:
            InputError: there is no such tool, or the new id is another's.
        """
        here = self.by_id()
        slot = here.get(old)
        if slot is None or here.get(new, slot) != slot:
            problem = f"{old!r} is unknown" if slot is None else f"{new!r} is another tool's"
            raise InputError(problem, field="renamed", remedy="Name OLD=NEW, a tool and a new id.")
        before = [name for name in self._names(slot) if name != new]
        return self._with({slot: {"tool_id": new, "aliases": tuple(before)}})

    def _with(self, changes: Mapping[int, Mapping[str, object]]) -> "Slots":
        tools = list(self.tools)
        for slot, update in changes.items():
            tools[slot - RESERVED] = tools[slot - RESERVED].model_copy(update=dict(update))
        return Slots(tools=tuple(tools))


def _apart(code: tuple[int, ...], following: tuple[int, ...]) -> bool:
    """Whether neither is the beginning of the other; of codes in their order."""
    return following[: len(code)] != code
