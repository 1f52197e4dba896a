"""Which steps ask a model: by a calibration that was measured, or by the user's word."""

from pathlib import Path

from gretel.contracts.calibration import EVERY_STEP, NO_STEP, Calibration
from gretel.contracts.errors import ConfigurationError
from gretel.files import read_json

_BY_NAME = {"all": EVERY_STEP, "none": NO_STEP}


def calibration_for(model: str, given: Calibration | Path | str | None) -> Calibration:
    """What `given` says of `model`: a record, a file of `gretel calibrate`, `all` or `none`.

    Without one every step asks the model, as the caller who named it expects.

    Raises:
        ConfigurationError: the file cannot be read, or is of another model.
    """
    given = "all" if given is None else given
    found = given if isinstance(given, Calibration) else _BY_NAME.get(str(given)) or _read(given)
    if found.model not in (None, model):
        raise ConfigurationError(
            f"is for {found.model}, not for {model}",
            field="calibration",
            remedy="Run `gretel calibrate` with the model that you use",
        )
    return found


def _read(path: Path | str) -> Calibration:
    try:
        return Calibration.model_validate(read_json(Path(path)))
    except (OSError, ValueError, RecursionError):
        remedy = "Give a file written by `gretel calibrate --out`, or all, or none"
        raise ConfigurationError("is not a calibration", field=str(path), remedy=remedy) from None
