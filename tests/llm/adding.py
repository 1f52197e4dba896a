"""A plain question to a model: the step `add`, whose reply is an even sum."""

from contextlib import aclosing

from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject
from gretel.llm.model import StructuredModel

MESSAGES = [
    Message(role="system", content="You add."),
    Message(role="user", content="One and one?"),
]
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"sum": {"type": "integer"}},
    "required": ["sum"],
    "additionalProperties": False,
}


def even(reply: JsonObject) -> int:
    """A check beyond the schema."""
    value = reply["sum"]
    assert isinstance(value, int)
    if value % 2:
        raise ValueError(f"sum: {value} is odd")
    return value


async def asked(model: StructuredModel, *, step: str = "add") -> int:
    """The model's reply; its connections are closed then."""
    async with aclosing(model):
        return await model.reply(MESSAGES, SCHEMA, even, step=step)
