"""Which requests a run has: all, a sample of so many, or one shard."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from gretel.contracts.errors import InputError
from gretel.datasets.judged import JudgedRequest


@dataclass(frozen=True)
class Shard:
    """Shard `number` of `count`, by a hash of the request's id; all shards together are all."""

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def holds(self, request_id: str) -> bool:
        """Whether the request belongs to this shard."""
        return _hash(request_id) % self.count == self.number - 1


def sampled(requests: Sequence[JudgedRequest], limit: int | None) -> list[JudgedRequest]:
    """`limit` of the requests, sampled by a hash of their ids, in their own order; None: all."""
    if limit is None or limit >= len(requests):
        return [*requests]
    ids = sorted((r.request_id for r in requests), key=lambda each: (_hash(each), each))
    kept = set(ids[:limit])
    return [request for request in requests if request.request_id in kept]


def check_distinct(requests: Sequence[JudgedRequest], no_tool: Sequence[JudgedRequest]) -> None:
    """See that no two requests share an id.

    Raises:
        InputError: two do.
    """
    seen = {request.request_id for request in requests}
    for request in no_tool:
        if request.request_id in seen:
            problem = f"two requests have the id {request.request_id}"
            remedy = "Give each file once, and each of its rows its own `id`"
            raise InputError(problem, field="--no-tool", remedy=remedy)
        seen.add(request.request_id)


def no_tool_digest(no_tool: Sequence[JudgedRequest]) -> str | None:
    """SHA-256 (hex) of ids and texts; None where there are none."""
    if not no_tool:
        return None
    content = hashlib.sha256()
    for request in no_tool:
        content.update(f"{request.request_id}\0{request.text}\0".encode())
    return content.hexdigest()


def _hash(request_id: str) -> int:
    return int.from_bytes(hashlib.sha256(request_id.encode()).digest()[:8])
