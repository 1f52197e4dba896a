"""What one source of tools may cost: documents are written by strangers.

Each limit lies far above what was found in 460 real OpenAPI documents, and bounds the product of
what many operations share: a part that 50,000 of them refer to is unfolded 50,000 times.
"""

from gretel.contracts.record import JsonValue

SIZE_LIMIT = 100_000_000
"""Bytes of one document."""
NODE_LIMIT = 5_000_000
"""Values of one document, YAML aliases and merge keys expanded."""
RECORD_LIMIT = 1_500_000
"""Lists and objects of one document in JSON: an empty one takes two characters and 100 bytes of
memory. The largest real document that was looked at, of 47 MB, has 880,000."""
DEPTH_LIMIT = 200
"""Nesting of a document."""
ENTRY_LIMIT = 100_000
"""Operations, rows or list entries of one source."""
PARAMETERS_LIMIT = 1_000_000
"""Parameters of all tools of one source."""
OPERATION_PARAMETERS = 1_000
"""Parameters that one operation declares."""
NOTES_LIMIT = 10_000
"""Notes on one source; what many operations share is noted for each of them."""
OPERATION_NOTES = 20
"""Notes on one operation or row."""
SCOPES_LIMIT = 1_000
"""Scopes of all the ways to sign in that one operation names: each of its digests writes them."""
TOOL_PARAMETERS = 3_000
"""Parameters of one tool, the properties of its body among them."""
SAID_LIMIT = 50_000_000
"""Characters of what all tools of one source say: an operation may name a part that others name,
and the part is written out for each."""
EXAMPLE_COST = 100
"""Characters that take as long, and as much memory, as a piece of an example does."""
NAME_LIMIT = 1_000
"""Characters of a parameter's name, which is sent as it is or not at all."""
URL_LIMIT = 2_000
"""Characters of a path, or of a server's URL."""
SERVERS_LIMIT = 100
"""Servers of a tool, and ways to sign in at them."""
ROW_WEIGHT = 10_000
"""Weight of one schema of a row."""
SCHEMES_LIMIT = 1_000
"""Credentials of all these ways together: each is looked for with each call."""
DESCRIPTION_LIMIT = 20_000
"""Characters of a tool's description."""
TOOLKIT_DESCRIPTION_LIMIT = 2_000
"""Characters of the provider's description, which each of its tools carries."""
NOTE_LIMIT = 4_000
"""Characters of a parameter's or a response's description."""
EXAMPLE_SIZE = 2_000
"""Weight of an example; a larger one is left out."""
FOLLOWED = 20_000_000
"""Weight of everything that references outside schemas lead to, counted each time."""
UNFOLDED = 5_000_000
"""Values that the schemas of one source may unfold to together, …"""
SHARE = 100
"""… and that each operation may unfold in each direction when those are used up."""


def weight(value: JsonValue, limit: int) -> int:
    """What a value costs to keep: one for each container, ten entries and 200 characters.

    Counting stops beyond `limit`.
    """
    total = characters = 0
    pending = [value]
    while pending and total + characters // 200 <= limit:
        item = pending.pop()
        if isinstance(item, str):
            characters += len(item)
        elif isinstance(item, list | dict):
            total += 1 + len(item) // 10
            if total <= limit:
                pending.extend(item)
                pending.extend(item.values() if isinstance(item, dict) else ())
    return total + characters // 200


class Pool:
    """What is left of `UNFOLDED` for the schemas of one source."""

    def __init__(self) -> None:
        self.left = UNFOLDED

    def allowance(self, used: int) -> int:
        """What an operation that has `used` some may still use: its share, whatever is left."""
        return max(self.left, SHARE - used, 0)

    def take(self, count: int) -> None:
        """Note that `count` values were unfolded."""
        self.left -= count
