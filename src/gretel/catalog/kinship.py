"""`Kinship`: whose words the field names of an answer are, as numbers and as features."""

import math
from collections.abc import Mapping
from typing import NamedTuple

FEATURES: Mapping[bool, tuple[str, ...]] = {
    True: (
        *("promised", "kept", "nothing_promised", "log_promised", "log_mass"),
        *("home", "kin", "elsewhere", "exclusive"),
    ),
    False: (
        *("home", "kin", "any_home", "any_kin", "elsewhere", "exclusive"),
        *("log_elsewhere", "log_exclusive", "log_foreign"),
    ),
}
"""What counts, by `Kinship.is_documented`."""


class Kinship(NamedTuple):
    """Whose words the field names of an answer are; shares are weighted by rarity, in [0, 1]."""

    home: float
    """Share of the words that the tool's own document uses, its promised answer aside."""
    kin: float
    """Share of the words that some document of its toolkit uses, promised answers included."""
    promised: float
    """Share of the names that the tool's documented answer has."""
    kept: float
    """Share of the promised names that the answer has; 0 where the tool promises too little."""
    elsewhere: float
    """Share of the names that one tool of another toolkit speaks of and this toolkit does not, for
    the tool where it is largest."""
    exclusive: float
    """Share of the names of which one or two other toolkits speak, and this one does not."""
    mass: float
    """Rarity of all names together, in nats."""
    promised_mass: float
    """Rarity of all promised names together, in nats; 0 where these are too few to tell."""

    @property
    def is_documented(self) -> bool:
        """Whether the tool promises enough to hold an answer against."""
        return self.promised_mass > 0

    def features(self) -> tuple[float, ...]:
        """The values of `FEATURES[self.is_documented]`."""
        values = {
            **self._asdict(),
            "nothing_promised": float(self.promised == 0),
            "log_promised": math.log1p(self.promised_mass),
            "log_mass": math.log1p(self.mass),
            "any_home": float(self.home > 0),
            "any_kin": float(self.kin > 0),
            "log_elsewhere": math.log1p(self.elsewhere * self.mass),
            "log_exclusive": math.log1p(self.exclusive * self.mass),
            "log_foreign": math.log1p((1 - self.kin) * self.mass),
        }
        return tuple(values[name] for name in FEATURES[self.is_documented])
