"""Fault injection: which tools of a catalogue are broken, which calls have a transient failure.

Every draw is a hash of the seed and an id, and of nothing else: no qrels, no order, no count of
calls. The shares are per 100 tools, as in GRETEL's Table 4.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar, get_args

from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import ToolId
from gretel.files import read_json

PersistentKind: TypeAlias = Literal["auth", "drift", "dead", "empty", "irrelevant"]
"""The tool does not function: credentials refused, endpoint gone, server dead, answers without
content, or answers about something else."""
TransientKind: TypeAlias = Literal["rate_limit", "timeout", "server_error"]
"""The tool functions, this call of it does not."""
FaultKind: TypeAlias = PersistentKind | TransientKind
FaultUnit: TypeAlias = Literal["tool", "toolkit"]
Mix: TypeAlias = Mapping[FaultKind, float]
"""Share of each fault, per 100 tools (persistent) or per 100 calls (transient); the rest is ok."""

_Kind = TypeVar("_Kind", PersistentKind, TransientKind)
_Item = TypeVar("_Item")

PERSISTENT: tuple[PersistentKind, ...] = get_args(PersistentKind)
TRANSIENT: tuple[TransientKind, ...] = get_args(TransientKind)

DEFAULT_FAULTS: Mix = {
    "auth": 3.0,
    "drift": 3.0,
    "dead": 3.0,
    "rate_limit": 3.0,
    "timeout": 3.0,
    "server_error": 3.0,
    "empty": 12.5,
    "irrelevant": 12.5,
}
"""GRETEL's Table 4: 18 execution failures, half of them transient, and 25 semantic mismatches."""
_NAMED: Mapping[str, Mix] = {"none": {}, "default": DEFAULT_FAULTS}


class Faults(dict[ToolId, PersistentKind]):
    """The persistent faults of a catalogue by tool, and the transient ones by call.

    As a mapping it holds broken tools alone; `at` also knows the calls with a transient one.
    """

    def __init__(
        self, broken: Mapping[ToolId, PersistentKind], mix: Mix, *, seed: int, unit: FaultUnit
    ) -> None:
        super().__init__(sorted(broken.items()))
        self._mix = dict(mix)
        self._seed = seed
        self._unit: FaultUnit = unit
        working = 100.0 - sum(mix.get(kind, 0.0) for kind in PERSISTENT)
        # The declared share is one of all calls, and those of broken tools have failed already.
        self._transient = {k: mix.get(k, 0.0) / working if working > 0 else 0.0 for k in TRANSIENT}

    def at(self, tool_id: ToolId, request_id: str) -> FaultKind | None:
        """What is wrong with a call of `tool_id` made for `request_id`; None where all is well."""
        number = seeded_uniform(self._seed, "transient", tool_id, request_id)
        return self.get(tool_id) or _chosen(self._transient, number)

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of all that decides the draws, the catalogue apart."""
        text = json.dumps([sorted(self._mix.items()), self._unit, self._seed])
        return hashlib.sha256(text.encode()).hexdigest()


def draw_faults(
    catalog: Catalog, *, mix: str | Mix = "default", unit: FaultUnit = "toolkit", seed: int
) -> Faults:
    """The faults of `catalog`: one draw a tool, or one a toolkit that all its tools share.

    A tool's draw does not depend on the rest of the catalogue. A mix scaled down breaks a subset
    of the tools that the whole mix breaks.

    Raises:
        ConfigurationError: `mix` is no mix; see `read_mix`.
    """
    shares = _checked(mix) if isinstance(mix, Mapping) else read_mix(mix)
    probabilities = {kind: shares.get(kind, 0.0) / 100 for kind in PERSISTENT}
    drawn = {
        tool.tool_id: _chosen(probabilities, seeded_uniform(seed, unit, name))
        for tool in catalog
        for name in [tool.tool_id if unit == "tool" else tool.toolkit]
    }
    broken = {tool_id: kind for tool_id, kind in drawn.items() if kind}
    return Faults(broken, shares, seed=seed, unit=unit)


def functioning(gold: Collection[ToolId], faults: Faults) -> frozenset[ToolId]:
    """The gold tools that work: without a persistent fault."""
    return frozenset(gold) - faults.keys()


def read_mix(name: str, *, percent: float | None = None) -> Mix:
    """The mix `none`, `default`, or that of a JSON file `{"auth": 3, "empty": 12.5, …}`.

    With `percent`, the shares are scaled to that sum.

    Raises:
        ConfigurationError: no such file, an unknown fault, shares that are no shares, or no faults
            to scale.
    """
    if percent is not None:
        return scaled(read_mix(name), percent)
    if name in _NAMED:
        return _NAMED[name]
    try:
        content = read_json(Path(name))
    except (OSError, ValueError, RecursionError) as error:
        raise _unusable(f"{name!r} cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise _unusable(f"{name!r} holds no JSON object")
    return _checked(content)


def scaled(mix: Mix, percent: float) -> Mix:
    """`mix` with its shares in the same proportions and a sum of `percent`; empty for 0.

    Raises:
        ConfigurationError: the mix is empty, or `percent` is not within 0 and 100.
    """
    total = sum(mix.values())
    if total <= 0:
        raise _unusable("a mix without faults cannot be scaled")
    shares = _checked({kind: share * percent / total for kind, share in mix.items()})
    return shares if percent else {}


def seeded_uniform(seed: int, *keys: str) -> float:
    """A number in [0, 1) that the seed and the keys decide, evenly spread."""
    text = json.dumps([seed, *keys])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) / 2**64


def seeded_choice(options: Sequence[_Item], seed: int, *keys: str) -> _Item:
    """One of the options, which the seed and the keys decide."""
    return options[int(seeded_uniform(seed, *keys) * len(options))]


def _chosen(shares: Mapping[_Kind, float], number: float) -> _Kind | None:
    """The kind whose part of [0, 1) holds `number`; None beyond all of them."""
    end = 0.0
    for kind, share in shares.items():
        end += share
        if number < end:
            return kind
    return None


def _checked(shares: Mapping[FaultKind, float]) -> Mix:
    known = (*PERSISTENT, *TRANSIENT)
    for kind, share in shares.items():
        if kind not in known:
            raise _unusable(f"{kind!r} is unknown")
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 100:
            raise _unusable(f"{kind}: {share!r} is not a share of 100")
    if sum(shares.values()) > 100 + 1e-9:
        raise _unusable(f"the shares sum to {sum(shares.values()):g}, more than 100")
    return dict(shares)


def _unusable(problem: str) -> ConfigurationError:
    kinds = ", ".join((*PERSISTENT, *TRANSIENT))
    remedy = f"Give none, default, or a JSON file of shares per 100; the faults are {kinds}."
    return ConfigurationError(problem, field="faults", remedy=remedy)
