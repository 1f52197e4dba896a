"""Content hashes: of one tool, and of a catalogue."""

import hashlib
import json
from collections.abc import Iterable

from gretel.contracts.tool import Tool
from gretel.text.remembering import remembered_by_identity

_KNOWN = 65_536
"""Tools whose digest is known: marks, pins and policy ask for it at each use, on the event loop
too, and a schema of hundreds of kB takes it milliseconds."""


@remembered_by_identity(_KNOWN)
def tool_digest(tool: Tool) -> str:
    """SHA-256 (hex) of what the tool says; where it was read (`source`) does not count."""
    content = tool.model_dump(mode="json", exclude={"source"})
    for name in ("statuses", "media_types"):  # so that digests of before there were any hold
        if not content["response"][name]:
            del content["response"][name]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def combined_digest(digests: Iterable[str]) -> str:
    """One digest of many, whatever their order; of none, the hash of nothing."""
    return hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()
