"""The base of every record, and the JSON types they are made of."""

from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict
from typing_extensions import TypeAliasType

from gretel.text.foreign import excerpt, one_line

if TYPE_CHECKING:
    # Of an installed package pyright reads no recursive alias that is made by a call.
    JsonValue: TypeAlias = (
        "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"
    )
else:
    JsonValue = TypeAliasType(
        "JsonValue",
        "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None",
    )
"""Anything that JSON can say."""

JsonObject: TypeAlias = dict[str, JsonValue]
"""A JSON object; a JSON Schema is one."""


Sentence = Annotated[str, AfterValidator(one_line)]
"""A sentence for a person, which may hold names and redacted words of others: one line, capped."""
Excerpt = Annotated[str, AfterValidator(excerpt)]
"""The beginning of what others answered, cleaned, redacted and capped."""


class Record(BaseModel):
    """A frozen, strictly shaped value; unknown fields are an error."""

    # its errors do not repeat what was given: it may be a key that was typed in a wrong place
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
