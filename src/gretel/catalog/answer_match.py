"""`AnswerMatch`: how the field names of an answer match a tool's documents, as features."""

import math
from typing import NamedTuple

FEATURES = (
    *("schema_precision", "schema_recall", "no_schema_precision", "log_schema_mass"),
    *("log_mass", "tool_overlap", "toolkit_overlap"),
)
"""The names of the features of an answer that `is_documented`."""
WORDS = ("log_own", "log_kin", "log_foreign")
"""Of one that is not: how much of it the tool's words know, those of its toolkit, and neither; each
as the logarithm of its rarity in nats, plus one."""


class AnswerMatch(NamedTuple):
    """Which documents know the field names of an answer; shares are weighted by rarity, in [0, 1].

    The schema of a tool is what it documents of its answer, as a schema or by an example.
    """

    tool_overlap: float
    """Share of the words that the tool's own document uses, its schema aside."""
    toolkit_overlap: float
    """Share of the words that some document of its toolkit uses, schemas included."""
    schema_precision: float
    """Share of the answer's names that are in the tool's schema."""
    schema_recall: float
    """Share of the schema's names that are in the answer; 0 where the schema says too little."""
    mass: float
    """Rarity of all names together, in nats."""
    schema_mass: float
    """Rarity of the schema's names together, in nats; 0 where these are too few to tell."""

    @property
    def is_documented(self) -> bool:
        """Whether the schema says enough to hold an answer against."""
        return self.schema_mass > 0

    def features(self) -> tuple[float, ...]:
        """The values of `FEATURES`."""
        values = {
            **self._asdict(),
            "no_schema_precision": float(self.schema_precision == 0),
            "log_schema_mass": math.log1p(self.schema_mass),
            "log_mass": math.log1p(self.mass),
        }
        return tuple(values[name] for name in FEATURES)

    def words(self) -> tuple[float, ...]:
        """The values of `WORDS`."""
        shares = (self.tool_overlap, self.toolkit_overlap, 1 - self.toolkit_overlap)
        return tuple(math.log1p(share * self.mass) for share in shares)
