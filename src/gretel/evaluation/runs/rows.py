"""Rows: what came of each request of a run, failures included."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, FiniteFloat, ValidationError

from gretel.contracts.budget import Usage
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Abstention
from gretel.contracts.record import JsonObject, Record, Sentence
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Refusal, Trial
from gretel.evaluation.measures.calls import PlannedCall
from gretel.evaluation.mock.faults import FaultKind
from gretel.evaluation.runs.journal import Journal
from gretel.files import check_few, lines_of, open_plain

RowStatus: TypeAlias = Literal["answered", "abstained", "failed", "timed_out", "infrastructure"]
"""How a request ended, each in exactly one way. `abstained`: the product would offer no tool; what
it ranked counts all the same. `failed`: an error, which is a bug or bad data. `infrastructure`: our
own machinery broke."""

Progress: TypeAlias = Callable[[int], None]
"""Told how many requests have their row."""


_MOST_REPEATED = 1_000_000
"""Times that judgements name one tool for a request."""


class RowKey(Record):
    """What a row is valid for."""

    config: str
    """Digest of the settings and of our code."""
    catalog: str
    """Digest of the catalogue."""
    seed: int


class Row(Record):
    """One request of a run; a line of `rows.jsonl`."""

    request_id: str
    text: str = ""
    """What was asked, earlier turns apart."""
    key: RowKey
    status: RowStatus
    reason: Sentence = ""
    """Why the request failed."""
    gold: tuple[ToolId, ...]
    """Empty for a request that needs no tool: it stands in no mean of a ranking."""
    repeated: dict[ToolId, Annotated[int, Field(ge=1, le=_MOST_REPEATED)]] = {}
    """Right tools that the judgements name more than once, and how often."""
    functioning: tuple[ToolId, ...]
    """Of the right and the ranked tools those without a persistent fault."""
    faults: dict[ToolId, FaultKind] = {}
    """What was wrong with the tools that were tried; no pipeline but `oracle` knows."""
    unknown: tuple[ToolId, ...] = ()
    """Of the tools that were tried and function those that did not know a value that they were
    sent; no pipeline knows, and which values they are stands nowhere."""
    rankings: dict[str, tuple[ToolId, ...]] = {}
    """Pipeline → tools, best first; empty where the request failed."""
    reasons: dict[str, tuple[Sentence, ...]] = {}
    """Pipeline → why each tool stands in its place; only of pipelines that give reasons."""
    trials: tuple[Trial, ...] = ()
    """All evidence of `full`, by tool_id; enough to rank again without trying again."""
    planning: tuple[PlannedCall, ...] = ()
    """What was planned for the right tools, where the data set has their right calls."""
    abstention: Abstention | None = None
    """Why the product would offer no tool."""
    answerable: FiniteFloat | None = None
    needs_tool: FiniteFloat | None = None
    usage: dict[str, Usage] = {}
    """Spent by each stage; `ms` is its slowest step, since steps of one stage run at once."""
    notes: tuple[Sentence, ...] = ()

    @property
    def offers(self) -> bool:
        """Whether the product would offer a tool."""
        return self.abstention is None and self.status not in ("failed", "timed_out")

    @property
    def chance(self) -> float | None:
        """How sure the retriever was that a tool serves; None where it could not say."""
        known = [each for each in (self.needs_tool, self.answerable) if each is not None]
        return min(known, default=None)

    def line(self) -> str:
        """The row as it stands in the file."""
        return self.model_dump_json()


class RowLog:
    """`rows.jsonl` while it is written: the rows so far, by request, and the key of all."""

    def __init__(self, journal: Journal, key: RowKey, *, place: Path) -> None:
        """Go on with what the journal holds.

        Raises:
            InputError: a row is damaged, doubled, or of another configuration.
        """
        self._journal = journal
        self.key = key
        self.rows = _read(enumerate(journal.lines, 1), place, key)

    def append(self, row: Row) -> None:
        """Keep the row, now and for the next start."""
        self._journal.append(row.line())
        self.rows[row.request_id] = row


def read_rows(path: Path) -> dict[str, Row]:
    """The rows of a finished run, by request.

    Raises:
        InputError: it is no plain file, a row is damaged, or one request has two.
    """
    return _read(run_lines(path), path)


def run_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file of a finished run, with their numbers.

    Read one by one, for a run may be larger than what is kept of it.

    Raises:
        InputError: it is no plain file.
    """
    try:
        with open_plain(path) as file:
            yield from enumerate(lines_of(file), 1)
    except OSError as error:
        remedy = "Run it again into another folder"
        raise InputError(
            f"cannot be read ({error.strerror})", field=str(path), remedy=remedy
        ) from None


def _read(
    lines: Iterable[tuple[int, bytes]], path: Path, key: RowKey | None = None
) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for number, line in lines:
        place = f"{path}:{number}"
        try:
            check_few(line)
            row = Row.model_validate_json(line)
        except ValueError as error:
            broken = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
            problem = f"is not a row: {broken}"
            remedy = "Delete the line, and its request is done again"
            raise InputError(problem, field=place, remedy=remedy) from None
        if row.request_id in rows or key not in (None, row.key):
            problem = f"its row of {row.request_id} occurs twice, or has other settings"
            raise InputError(problem, field=place, remedy="Give another --out")
        rows[row.request_id] = row
    return rows


_MOCK = re.compile(r"\b127\.0\.0\.1:\d{1,5}\b")
"""Where a mock listened: its port is another one at every start."""


def report_digest(rows: Mapping[str, Row]) -> str:
    """SHA-256 (hex) over rankings, outcomes and reasons of all requests; no times, scores or ports.

    The same for the same requests in any order, in one run or merged of several.
    """
    content = [_reported(rows[request_id]) for request_id in sorted(rows)]
    text = json.dumps(content, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(_MOCK.sub("mock", text).encode()).hexdigest()


def _reported(row: Row) -> JsonObject:
    said = row.model_dump(
        mode="json",
        include={"request_id", "status", "reason", "rankings", "reasons", "abstention"},
    )
    planned = [call.model_dump(mode="json") for call in row.planning]
    return said | {"outcomes": [_outcome(trial) for trial in row.trials], "planning": planned}


def _outcome(trial: Trial) -> JsonObject:
    failure = trial.executed.failure
    return {
        "tool_id": trial.tool_id,
        "refusal": trial.plan.reason if isinstance(trial.plan, Refusal) else None,
        "executed": trial.executed.status,
        "failure": failure.kind if failure else None,
        "simulated": trial.simulated.status if trial.simulated else None,
    }
