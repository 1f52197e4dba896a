"""`AnswerMatch`: how the field names of an answer match a tool's documents, as features."""

import math
from collections.abc import Mapping
from typing import NamedTuple

FEATURES: Mapping[bool, tuple[str, ...]] = {
    True: (
        *("schema_precision", "schema_recall", "no_schema_precision", "log_schema_mass"),
        *("log_mass", "tool_overlap", "toolkit_overlap", "elsewhere", "exclusive"),
    ),
    False: (
        *("tool_overlap", "toolkit_overlap", "any_tool_overlap", "any_toolkit_overlap"),
        *("elsewhere", "exclusive", "log_elsewhere", "log_exclusive", "log_foreign"),
    ),
}
"""The names of the features, by `AnswerMatch.is_documented`."""


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
    elsewhere: float
    """Share of the names that one tool of another toolkit speaks of and this toolkit does not, for
    the tool where it is largest."""
    exclusive: float
    """Share of the names of which one or two other toolkits speak, and this one does not."""
    mass: float
    """Rarity of all names together, in nats."""
    schema_mass: float
    """Rarity of the schema's names together, in nats; 0 where these are too few to tell."""

    @property
    def is_documented(self) -> bool:
        """Whether the schema says enough to hold an answer against."""
        return self.schema_mass > 0

    def features(self) -> tuple[float, ...]:
        """The values of `FEATURES[self.is_documented]`."""
        values = {
            **self._asdict(),
            "no_schema_precision": float(self.schema_precision == 0),
            "log_schema_mass": math.log1p(self.schema_mass),
            "log_mass": math.log1p(self.mass),
            "any_tool_overlap": float(self.tool_overlap > 0),
            "any_toolkit_overlap": float(self.toolkit_overlap > 0),
            "log_elsewhere": math.log1p(self.elsewhere * self.mass),
            "log_exclusive": math.log1p(self.exclusive * self.mass),
            "log_foreign": math.log1p((1 - self.toolkit_overlap) * self.mass),
        }
        return tuple(values[name] for name in FEATURES[self.is_documented])
