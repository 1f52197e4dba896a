"""The base of every record, and the JSON types they are made of."""

from typing import TypeAlias

from pydantic import BaseModel, ConfigDict
from typing_extensions import TypeAliasType

JsonValue = TypeAliasType(
    "JsonValue",
    "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None",
)
"""Anything that JSON can say."""

JsonObject: TypeAlias = dict[str, JsonValue]
"""A JSON object; a JSON Schema is one."""


class Record(BaseModel):
    """A frozen, strictly shaped value; unknown fields are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
