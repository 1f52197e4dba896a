"""Words of others on their way into records, errors, terminals and pages: no secret, no order.

A server that was sent a credential gives it back cut, split and folded; a catalogue, a server and a
callable write orders to a terminal, hidden text and markup wherever they may write at all.
"""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from fakes import FakeExecutor, FakePlanner, FakeRetriever, param, plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ConfigurationError, GretelError, InputError
from gretel.contracts.ranking import Abstention, Selection
from gretel.contracts.tool import CallableBinding, HttpBinding, SecurityScheme
from gretel.contracts.trial import Failure, Outcome, Refusal
from gretel.graph.selector import Selector
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.callables import CallableExecutor
from gretel.sandbox.process.settings import ProcessSettings
from gretel.text.foreign import EXCERPT_BYTES, both_ends, excerpt, foreign
from gretel.text.redact import MASK, Redactor
from hostile_texts import HOSTILE, ORDERS, hostile_document, orders_in
from lanes import every

SECRET = "Zx9KqvTr8Lm5Pd2Qw7Bn4YhJ6t"
PIECE = 5
"""Letters of it that show it; four may be left where a text was cut."""
KEY = SecurityScheme(name="k", kind="apiKey", location="header", parameter="X-Odd")
HOST = "api.example.com"


def leaked(said: str, secret: str = SECRET) -> list[str]:
    """Pieces of the secret that can be made out, whatever stands between its letters."""
    seen, wanted = re.sub(r"[\W_]", "", said), re.sub(r"[\W_]", "", secret)
    starts = range(len(wanted) - PIECE)
    return [wanted[at : at + PIECE] for at in starts if wanted[at : at + PIECE] in seen]


async def said_of(
    body: str,
    *,
    status: int = 400,
    kind: str = "application/json",
    secret: str = SECRET,
    **more: str,
) -> str:
    """All that is kept of a call whose server was sent the secret and answers so."""
    headers = {"content-type": kind, **more}
    answer = httpx.Response(status, content=body.encode("utf-8", "replace"), headers=headers)
    binding = HttpBinding(method="GET", path="/x", servers=(f"https://{HOST}",), security=((KEY,),))
    executor = HttpExecutor(
        Catalog.from_tools([tool("A.b", binding=binding)]),
        Policy(frozenset({HOST})),
        credentials=lambda origin, scheme: secret,
        transport=httpx.MockTransport(lambda asked: answer),
    )
    outcome = await executor.execute(plan("A.b"), budget=Budget())
    await executor.aclose()
    assert outcome.source == "executed"
    return outcome.model_dump_json()


SPLITS = {
    "line feed": "\n",
    "line break": "\r\n",
    "carriage return": "\r",
    "tab": "\t",
    "blanks": "   ",
    "no-break space": "\u00a0",
    "21 blanks": " " * 21,
    "zero width": "\u200b",
    "soft hyphen": "\u00ad",
    "bidi": "\u202e",
    "tag": "\U000e0041",
    "colour": "\x1b[31m",
    "reset": "\x1b[0m",
    "C1 colour": "\x9b1m",
    "link": "\x1b]8;;https://evil.example\x1b\\",
    "clipboard": "\x1b]52;c;aGk=\x07",
    "line separator": "\u2028",
    "escaped line feed": "\\n",
    "escaped colour": "\\u001b[1m",
    "percent": "%0A",
}
PLACES: dict[str, Callable[[str], dict[str, Any]]] = {
    "message": lambda text: {"body": json.dumps({"error": text})},
    "list": lambda text: {"body": json.dumps({"errors": [text, "try again"]})},
    "fields": lambda text: {"body": json.dumps({"city": [text]})},
    "text": lambda text: {"body": text, "kind": "text/plain"},
    "page": lambda text: {
        "body": f"<html><title>Error {text}</title></html>",
        "kind": "text/html",
        "status": 503,
    },
    "answer": lambda text: {"body": json.dumps({"city": text}), "status": 200},
    "key": lambda text: {"body": json.dumps({text: 1}), "status": 200},
    "not found": lambda text: {"body": json.dumps({"detail": f"no {text} found"}), "status": 404},
    "in disguise": lambda text: {"body": json.dumps({"error": text}), "status": 200},
    "challenge": lambda text: {
        "body": json.dumps({"error": text}),
        "status": 401,
        "www-authenticate": re.sub(r"[^ -~]", "", text),
    },
}


CODE = "Sup3rSecret9"
LETTERS = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
SHAPES = {
    "a setting": f"aws_secret_access_key = {LETTERS}",
    "a keyword": f'connect(user="a", password="{CODE}")',
    "a line of YAML": f"db:\n  password: {CODE}\n",
    "an element": f"<password>{CODE}</password>",
    "JSON in JSON": f'"{{\\"api_key\\":\\"{CODE}\\"}}"',
    "a header": f"X-API-Key: {CODE}",
    "a cookie": f"Cookie: sid={CODE}; theme=dark",
    "a sentence": f"Your temporary password is {CODE}.",
    "a key of WireGuard": f"PrivateKey = {LETTERS}+/=",
    "a passphrase": '{"passphrase": "correct horse battery"}',
    "a signed URL": f"https://a.blob.core.windows.net/c?sv=2026&sig={LETTERS}%3D",
    "PGP": f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{LETTERS}\n",
    "Discord": f"MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.{LETTERS[:27]}",
    "a hook of Slack": f"https://hooks.slack.com/services/T0000/B0000/{LETTERS[:24]}",
    "a hook of Discord": f"https://discord.com/api/webhooks/123456789012345678/{LETTERS * 2}",
    "Telegram": f"110201543:AA{LETTERS[:32]}",
    "Docker": f"dckr_pat_{LETTERS}",
    "Figma": f"figd_{LETTERS}",
    "Atlassian": f"ATATT3xFfGF0{LETTERS}",
    "Grafana": f"glsa_{LETTERS}",
    "Google": f"1//0g{LETTERS}",
    "Databricks": f"dapi{'0123456789abcdef' * 2}",
    "Mailchimp": f"{'0123456789abcdef' * 2}-us12",
    "Twilio": f"AC{'0123456789abcdef' * 2}",
    "an account in Germany": "DE89 3704 0044 0532 0130 00",
    "an account in Norway": "NO9386011117947",
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("read", [excerpt, lambda text: foreign(text, 500)])
def test_what_has_the_shape_of_a_secret_is_masked(name: str, read: Callable[[str], str]) -> None:
    kept = read(f"It was {SHAPES[name]} there")
    secrets = (CODE, LETTERS[:16], "correct", "0123456789abcdef", "0532", "8601111")
    assert not [each for each in secrets if each in kept] and "[redacted]" in kept


@pytest.mark.parametrize(
    "said",
    [
        *(
            "token: required",
            "password is missing",
            "the session: 2026-11-24T10:00",
            "key: AB12cd34",
        ),
        *("DE88 3704 0044 0532 0130 00", "order AB12 3456 7890", "ACTION0123456789abcdef", "1//0"),
        *("a signature is required", "cookie: yes", "Secret: one of a, b", "v1.Cl2FMQ.abc"),
    ],
)
def test_what_only_looks_like_one_is_kept(said: str) -> None:
    assert foreign(said, 500) == said


@pytest.mark.parametrize("split", every(3, SPLITS))
@pytest.mark.parametrize("place", PLACES)
async def test_a_secret_that_is_split(place: str, split: str) -> None:
    echo = f"bad key {SPLITS[split].join((SECRET[:7], SECRET[7:15], SECRET[15:]))} was sent"

    assert leaked(await said_of(**PLACES[place](echo))) == []


@pytest.mark.parametrize("place", ["message", "list", "text", "answer"])
async def test_a_secret_between_every_two_letters_of_which_something_stands(place: str) -> None:
    for split in SPLITS.values():
        assert leaked(await said_of(**PLACES[place](split.join(SECRET)))) == []


@pytest.mark.parametrize("tag", ["<b></b>", "<br />", '<i class="x">', "<!-- -->", "&lt;wbr&gt;"])
@pytest.mark.parametrize("place", ["message", "text", "page", "answer"])
async def test_a_secret_between_whose_letters_tags_stand(place: str, tag: str) -> None:
    said = await said_of(**PLACES[place](tag.join(SECRET)))

    assert leaked(re.sub(r"<[^<>]*>", "", html.unescape(said))) == []


CUTS = {
    "sentence": range(90, 170, 6),
    "excerpt": range(1_960, 2_060, 8),
    "read": range(970, 2_010, 18),
}
"""Steps shorter than the secret, so that wherever a text is cut some cut falls within it."""


@pytest.mark.parametrize("fill", ["x", " ", "\u200b", "\x1b[0m"])
@pytest.mark.parametrize("place", ["message", "list", "text", "page", "answer", "in disguise"])
@pytest.mark.parametrize("cut", [pytest.param(name, marks=pytest.mark.slow) for name in CUTS])
async def test_a_secret_at_every_cut(cut: str, place: str, fill: str) -> None:
    for size in CUTS[cut]:
        said = await said_of(**PLACES[place](f"{fill * size}{SECRET} and more"))
        assert leaked(said) == [], size


@pytest.mark.parametrize("kept", [5, 9, 17, 25])
@pytest.mark.parametrize("place", ["list", "fields"])
async def test_a_secret_cut_before_it_is_joined(place: str, kept: int) -> None:
    said = await said_of(**PLACES[place](" " * (2_000 - kept) + SECRET + " was sent"))

    assert leaked(said) == []


@pytest.mark.parametrize("behind", every(2, ["\u200b", "\x1b[0m", "a\x08", SECRET]))
@pytest.mark.parametrize("kept", every(3, [8, 16, 24]))
def test_a_secret_where_reading_of_the_end_begins(behind: str, kept: int) -> None:
    """What follows it is unseen or masked, so that what is shown reaches back to it."""
    size = EXCERPT_BYTES // 2 + 8_192 - kept
    end = (behind * size)[-size:]
    with Redactor().during([SECRET]):
        assert leaked(both_ends("a " * 20_000 + SECRET + end)) == []


LONG = "".join(f"Ab{number:x}Zq" for number in range(600))
"""As long as the file of a service's account in base64."""
BESIDE = (
    '{{"client_secret":"{}"}}',
    "client_secret={}",
    'password="{}"',
    "<password>{}</password>",
    '{{"apiKey":{{"value":"{}"}}}}',
    "password: |\n  {}",
    "bad password: {} was sent",
    '{{"name":"api_key","value":"{}"}}',
    '<input name="password" value="{}">',
    "| password | {} |",
    '{{"tokens":["{}"]}}',
    "curl -H X-Api-Key:{}",
)


@pytest.mark.parametrize("written", BESIDE)
@pytest.mark.parametrize("read", [excerpt, both_ends, lambda text: foreign(text, 2_000)])
def test_a_long_value_beside_its_name(read: Callable[[str], str], written: str) -> None:
    shown = read(written.format(LONG * 2))
    assert MASK in shown
    assert not [at for at in range(0, len(LONG), 10) if LONG[at : at + 30] in shown]


@pytest.mark.parametrize("times", [3, 9])
def test_the_end_of_a_value_whose_name_is_not_read(times: int) -> None:
    shown = both_ends('{"a":"b"},' * 300 + f'"client_secret":"{LONG * times}","end":"of it"')
    assert shown.endswith('"end":"of it"')
    assert not [at for at in range(0, len(LONG), 10) if LONG[at : at + 30] in shown]


@pytest.mark.parametrize("blanks", ["  ", "\t", " \t ", "\u00a0 "])
@pytest.mark.parametrize("place", ["message", "text", "page", "in disguise"])
async def test_a_secret_with_blanks_of_its_own(place: str, blanks: str) -> None:
    secret = "Correct  Horse9Qx  Battery"
    echo = f"bad key {re.sub(' +', blanks, secret)} was sent"

    assert leaked(await said_of(**PLACES[place](echo), secret=secret), secret) == []


@pytest.mark.parametrize("name", ORDERS)
def test_no_record_holds_an_order(name: str) -> None:
    said = f"x {ORDERS[name]} y" * 3
    records = [
        Failure(kind="protocol", detail=said, fault="tool").detail,
        Refusal(tool_id=tool("A.b").tool_id, reason="off_topic", detail=said).detail,
        Abstention(reason="no_candidates", detail=said).detail,
        Selection(notes=(said,)).notes[0],
    ]
    for kept in records:
        assert orders_in(kept) == [] and "\n" not in kept
    assert orders_in(Outcome(status="failed", source="executed", excerpt=said).excerpt) == []


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("error", [GretelError, InputError, ConfigurationError])
def test_no_error_holds_an_order(error: type[GretelError], name: str) -> None:
    said = f"x {ORDERS[name]} y"
    made = error(said) if error is GretelError else error(said, field=said, remedy=said)

    assert orders_in(str(made)) == [] and "\n" not in str(made)
    assert orders_in(repr(made)) == []


def breaking(words: str) -> Any:
    class Breaks(FakeExecutor, FakePlanner):
        async def execute(self, *args: Any, **kwargs: Any) -> Any:
            raise ZeroDivisionError(words)

    return Breaks()


@pytest.mark.slow
@pytest.mark.parametrize("name", every(8, ORDERS))
async def test_a_broken_executor_writes_none_either(name: str) -> None:
    made = tool("A.b")
    words = f"{ORDERS[name]} token={SECRET} " + "x" * 100_000
    selector = Selector(
        Catalog.from_tools([made]),
        retriever=FakeRetriever([made], needs_tool=1.0),
        executor=breaking(words),
    )
    selection = await selector.aselect("Find me a flight.")
    await selector.aclose()
    kept = [*selection.notes, *(each.reason for each in selection.tools)]
    kept += [f.detail for t in selection.trials if (f := t.executed.failure)]
    assert kept and orders_in("".join(kept)) == [] and leaked("".join(kept)) == []
    assert len(selection.model_dump_json()) < 30_000


@pytest.mark.slow
async def test_what_an_executor_of_another_gives_is_bounded() -> None:
    made = tool("A.b")
    outcome = {
        "status": "failed",
        "source": "executed",
        "excerpt": "\x1b[2J" + "y" * 5_000_000,
        "failure": {"kind": "protocol", "detail": "\x1b[2J" + "z" * 5_000_000, "fault": "tool"},
    }
    selector = Selector(
        Catalog.from_tools([made]),
        retriever=FakeRetriever([made], needs_tool=1.0),
        executor=FakeExecutor({"A.b": Outcome.model_validate(outcome)}),
    )
    selection = await selector.aselect("Find me a flight.")
    await selector.aclose()
    assert len(selection.model_dump_json()) < 30_000
    assert orders_in(selection.model_dump_json()) == []


@pytest.mark.parametrize("kind", ["application/", "text/plain; charset=", "text/"])
async def test_a_media_type_of_five_megabytes(kind: str) -> None:
    binding = HttpBinding(
        method="POST",
        path="/x",
        servers=(f"https://{HOST}",),
        media_type=kind + "\x1b[31m" + "x" * 5_000_000,
    )
    made = tool(
        "A.b", params=[param("a", "integer", required=True, location="content")], binding=binding
    )
    executor = HttpExecutor(
        Catalog.from_tools([made]),
        Policy(frozenset({HOST}), safe_tools=frozenset({"A.b"})),
        transport=httpx.MockTransport(lambda asked: httpx.Response(200, json={})),
    )
    outcome = await executor.execute(plan("A.b", a=1), budget=Budget())
    await executor.aclose()
    assert outcome.status == "refused" and len(outcome.model_dump_json()) < 2_000
    assert outcome.failure is not None and orders_in(outcome.failure.detail) == []


@pytest.mark.parametrize("name", ORDERS)
async def test_a_callable_that_raises(name: str) -> None:
    def raises() -> None:
        raise ValueError(f"no {ORDERS[name]} with {SECRET}")

    catalog = Catalog.from_callables([raises])
    settings = ProcessSettings(environment={"SERVICE_API_KEY": SECRET, "TZ": "Europe/Oslo"})
    (made,) = catalog
    executor = CallableExecutor(catalog, Policy(safe_tools=frozenset({made.tool_id})), settings)
    assert isinstance(made.binding, CallableBinding)
    outcome = await executor.execute(plan(made.tool_id), budget=Budget())
    assert outcome.failure is not None and "ValueError" in outcome.failure.detail
    assert leaked(outcome.failure.detail) == [] and orders_in(outcome.failure.detail) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_reports_of_loaders_bring_no_order(name: str, tmp_path: Path) -> None:
    said = HOSTILE[name]
    catalog = Catalog.from_openapi(hostile_document(tmp_path / "a.json", said))

    rows = [*(text for row in catalog.skipped for text in row)]
    rows += [text for note in catalog.notes for text in note]
    assert rows and all(orders_in(row) == [] and "\n" not in row for row in rows)
