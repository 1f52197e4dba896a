"""A caller's checkpointer, made to read nothing but plain values back."""

import copy
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer


def strict(checkpointer: BaseCheckpointSaver[Any] | None) -> BaseCheckpointSaver[Any] | None:
    """`checkpointer` over the same store, with langgraph's own serialiser in its strict form.

    State is plain JSON, so nothing is lost. By default that serialiser imports and calls whatever
    a stored blob names (CVE-2026-28277). One that the caller wrote is left as it is.
    """
    if checkpointer is None:
        return None
    plain = JsonPlusSerializer(allowed_msgpack_modules=None)
    clone = copy.copy(checkpointer)
    if type(checkpointer.serde) is JsonPlusSerializer:
        clone.serde = plain
    elif type(checkpointer.serde) is EncryptedSerializer:
        clone.serde = EncryptedSerializer(checkpointer.serde.cipher, plain)
    return clone
