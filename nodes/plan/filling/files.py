"""Parameters that are files: no words of a request are one, so the caller has to give it."""

import re
from collections.abc import Mapping

from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.slots.slot import Slot

_BYTES = re.compile(
    r"(?:image(?!/svg)|audio|video|font)/.*"
    r"|application/(?:octet-stream|pdf|zip|gzip|x-tar|x-7z-compressed|msword|wasm|vnd\.(?!.*json).*)",
    re.IGNORECASE,
)
"""Media types of what is no text."""


def is_file(slot: Slot) -> bool:
    """Whether a leaf is the content of a file, and no text that a request may say."""
    media = slot.schema.get("contentMediaType")
    if isinstance(media, str):
        return _BYTES.fullmatch(media.partition(";")[0].strip()) is not None
    return slot.schema.get("format") == "binary"


def without_words(leaves: Mapping[Slot, Filling]) -> dict[tuple[str, ...], Filling]:
    """The leaves by their paths, without files that were filled from what somebody said."""
    return {
        slot.path: leaf
        for slot, leaf in leaves.items()
        if leaf.source in ("context", "default", "enum") or not is_file(slot)
    }
