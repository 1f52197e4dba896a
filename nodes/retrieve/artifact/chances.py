"""What a trained model's figures are worth, as probabilities."""

from typing import Any

import numpy as np
from pydantic import FiniteFloat

from gretel.contracts.record import Record


class Calibration(Record):
    """How a model's figures become probabilities; all fitted on the development part."""

    slope: FiniteFloat = 1.0
    offset: FiniteFloat = 0.0
    """A tool of log share s serves with log odds `slope * s + offset`."""
    need_slope: FiniteFloat = 1.0
    need_offset: FiniteFloat = 0.0
    """The same of the log odds that the model itself gives to a need."""
    detects: bool = False
    """Whether there were requests without need to learn from."""

    def serves(self, shares: Any) -> Any:
        """Probabilities that tools serve, by the logarithms of their shares."""
        return 1 / (1 + np.exp(-(self.slope * shares + self.offset)))

    def needs(self, odds: Any) -> Any:
        """Probabilities that a tool is needed, by the model's log odds."""
        return 1 / (1 + np.exp(-(self.need_slope * odds + self.need_offset)))
