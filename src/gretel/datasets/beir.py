"""Data sets in BEIR layout: `corpus.jsonl`, `queries.jsonl`, `qrels/NAME.tsv`.

A request's `metadata.gold_calls` ({name, arguments}) are its right calls. In the values of
Seal-Tools and CallNavi, `API_call_N` (the output of an earlier call) and `$$$` leave a value open.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

from gretel.catalog import Catalog, Skipped
from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool, ToolId
from gretel.datasets.judged import Dataset, GoldCall, JudgedRequest
from gretel.datasets.qrels import read_qrels
from gretel.datasets.reading import as_written, files_digest, read_lines, same_text


class Query(NamedTuple):
    """One row of `queries.jsonl`."""

    place: str
    """`queries.jsonl:12`."""
    query_id: str
    text: str
    """As it is written; empty where there is none."""
    metadata: JsonObject
    problem: str
    """What is wrong with the row; empty where nothing is."""


def beir_files(folder: Path, qrels: str) -> list[Path]:
    """The tools, the requests and one set of judgements of a folder in BEIR layout."""
    return [folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / f"{qrels}.tsv"]


def read_queries(path: Path) -> Iterator[Query]:
    """The rows of `queries.jsonl`, doubtful ones and those of one id included.

    Raises:
        CatalogError: the file cannot be read, or a row is not JSON.
    """
    for place, row in read_lines(path):
        lacking = "_id" not in row or "text" not in row
        yield Query(
            place=place,
            query_id=as_text(row.get("_id")),
            text=as_written(row.get("text")),
            metadata=as_object(row.get("metadata")),
            problem="is not a JSON object with _id and text" if lacking else "",
        )


def read_beir(folder: Path, qrels: str) -> Dataset:
    """The requests that `qrels` judges.

    Left out and reported: requests without id or text, without a right tool, or that
    `queries.jsonl` lacks. Kept and reported: a right tool that the catalogue lacks or cannot tell
    from others (it counts as missed), a text that stands under two ids or in other judgements too
    (leakage).

    Raises:
        InputError: no such judgements.
        CatalogError: a file cannot be read, or contradicts itself.
    """
    files = beir_files(folder, qrels)
    judged = read_qrels(files[2])
    catalog = Catalog.from_jsonl(files[0])
    problems = [*catalog.skipped, *judged.problems]
    queries = _queries(files[1], problems)
    requests = tuple(
        request
        for request_id, gold in judged.gold.items()
        if (request := _request(request_id, gold, judged.repeated, queries, catalog, problems))
    )
    others = {
        file.name: read_qrels(file).gold.keys()
        for file in sorted(files[2].parent.glob("*.tsv"))
        if file != files[2]
    }
    problems += _repeated(files[2].name, requests)
    problems += _overlaps(files[2].name, requests, others, queries)
    problems += _never_judged(queries.keys() - judged.gold.keys() - set().union(*others.values()))
    digest = files_digest(files, qrels)
    return Dataset(folder.resolve().name, catalog, requests, digest, tuple(problems))


def _queries(path: Path, problems: list[Skipped]) -> dict[str, Query]:
    found: dict[str, Query] = {}
    for query in read_queries(path):
        if not query.query_id:
            problems.append(
                Skipped(query.place, query.problem or "its _id is empty", "It is left out")
            )
            continue
        known = found.setdefault(query.query_id, query)
        if known is query:
            continue
        if (known.text.strip(), known.metadata) != (query.text.strip(), query.metadata):
            message = f"two different requests have the id {query.query_id}"
            raise CatalogError(message, field=query.place, remedy="Give each its own id")
        reason = f"{query.query_id} occurs twice"
        problems.append(Skipped(query.place, reason, "It counts once"))
    return found


def _request(
    request_id: str,
    gold: frozenset[str],
    repeated: Mapping[str, Mapping[str, int]],
    queries: Mapping[str, Query],
    catalog: Catalog,
    problems: list[Skipped],
) -> JudgedRequest | None:
    query = queries.get(request_id)
    text = query.text.strip() if query else ""
    if query is None or not text or not gold:
        reason = "no right tool" if text else "no text in queries.jsonl"
        problems.append(Skipped(request_id, reason, "It is left out"))
        return None
    tools = {name: tool for name in sorted(gold) if (tool := _find(name, catalog))}
    for name in sorted(gold - tools.keys()):
        several = any(tool.external_id == name for tool in catalog)
        where = "the id of several tools" if several else "not in the catalogue"
        reason = f"its right tool {name} is {where}"
        problems.append(Skipped(request_id, reason, "It counts as missed"))
    ids = {name: tools[name].tool_id if name in tools else ToolId(name) for name in gold}
    counts = repeated.get(request_id, {})
    return JudgedRequest(
        request_id=request_id,
        text=text,
        gold=frozenset(ids.values()),
        repeated={ids[name]: counts[name] for name in sorted(counts)},
        gold_calls=tuple(_calls(request_id, query.metadata, list(tools.values()), problems)),
    )


def _find(name: str, catalog: Catalog) -> Tool | None:
    """The tool of that external id, else of that tool_id."""
    found = catalog.by_external_id(name)
    if found is None and name in catalog:
        return catalog[name]
    return found


def _calls(
    request_id: str, metadata: JsonObject, tools: list[Tool], problems: list[Skipped]
) -> Iterator[GoldCall]:
    for call in map(as_object, as_list(metadata.get("gold_calls"))):
        name = as_text(call.get("name"))
        tool = next((t for t in tools if name in (t.operation, t.external_id)), None)
        if tool is None:
            reason = f"its right call of {name} is of no right tool"
            problems.append(Skipped(request_id, reason, "The call is left out"))
            continue
        arguments = as_object(call.get("arguments"))
        left_open = frozenset(key for key, value in arguments.items() if is_open(value))
        fixed = {key: value for key, value in arguments.items() if key not in left_open}
        yield GoldCall(tool.tool_id, fixed, left_open)


def is_open(value: JsonValue) -> bool:
    """Whether a right call leaves this value open: `API_call_N`, or `$$$` anywhere in it."""
    text = str(value)
    return text.startswith("API_call_") or "$$$" in text


def _repeated(name: str, requests: Iterable[JudgedRequest]) -> Iterator[Skipped]:
    for text, count in Counter(same_text(request.text) for request in requests).items():
        if count > 1:
            yield Skipped(f"qrels/{name}", f"{count} requests say {text!r}", "Each of them counts")


def _overlaps(
    name: str,
    requests: Iterable[JudgedRequest],
    others: Mapping[str, AbstractSet[str]],
    queries: Mapping[str, Query],
) -> Iterator[Skipped]:
    own = {same_text(request.text) for request in requests}
    for other, judged in others.items():
        shared = own & {
            same_text(queries[request].text) for request in judged if request in queries
        }
        if shared:
            reason = f"{len(shared)} of its requests stand in qrels/{other} too"
            remedy = "Do not develop on one and report the other"
            yield Skipped(f"qrels/{name}", reason, remedy)


def _never_judged(names: AbstractSet[str]) -> Iterator[Skipped]:
    if names:
        some = ", ".join(sorted(names)[:3])
        reason = f"{len(names)} requests stand in no judgements ({some}{', …' * (len(names) > 3)})"
        yield Skipped("queries.jsonl", reason, "They are left out")
