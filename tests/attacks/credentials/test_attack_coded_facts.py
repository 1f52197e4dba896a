"""Facts that a model was made to write in a code, for a server that a document names."""

import base64
import codecs

import pytest

from fakes import param, request, tool
from gretel.contracts.record import JsonValue
from gretel.nodes.plan.provenance import facts_of, plan_of, traced
from gretel.nodes.plan.retelling import retells

FACT = "Karin Nordmann"
RAW = FACT.encode()
CODES: dict[str, JsonValue] = {
    "base64": base64.b64encode(RAW).decode(),
    "base64 for URLs": base64.urlsafe_b64encode(RAW).decode().rstrip("="),
    "base64 behind letters": "xy" + base64.b64encode(RAW).decode(),
    "base32": base64.b32encode(RAW).decode(),
    "base85": base64.b85encode(RAW).decode(),
    "hex": RAW.hex(),
    "hex in pairs": RAW.hex(":").upper(),
    "bits": " ".join(f"{byte:08b}" for byte in RAW),
    "numbers": " ".join(map(str, RAW)),
    "list of numbers": [*RAW],
    "HTML": "".join(f"&#{byte};" for byte in RAW),
    "JSON": "".join(f"\\\\u{byte:04x}" for byte in RAW),
    "mail": "".join(f"={byte:02X}" for byte in RAW),
    "percent, twice": "".join(f"%25{byte:02x}" for byte in RAW),
    "backwards": FACT[::-1],
    "rot13": codecs.encode(FACT, "rot13"),
    "in an object": {"a": [{"b": RAW.hex()}]},
}
TOOL = tool("Evil.search", "Search.", params=[param("q", required=True)])


@pytest.mark.parametrize("quote", ["", "weather"])
@pytest.mark.parametrize("value", CODES.values(), ids=CODES)
def test_a_fact_in_a_code_is_a_fact(value: JsonValue, quote: str) -> None:
    asked = request("Search notes about the weather.", customer=FACT)
    planned = plan_of(TOOL, {"q": traced(value, quote, TOOL.parameters[0], asked)})
    assert facts_of(planned, asked, TOOL) == ("q",)


@pytest.mark.parametrize(
    "value",
    ["evil rats", "2026-11-28", "c3RyZXNzZWQ", "f47ac10b-58cc-4372-a567-0e02b2c3d479", [1, 2, 3]],
)
def test_what_is_no_code_of_a_fact_is_none(value: JsonValue) -> None:
    assert not retells(value, {"live", "star", "82112026", "nordmann", "karin"})


@pytest.mark.parametrize("unit", ["\\", "&#1", "0x", "=4", "%25", "12 ", "a"])
def test_a_long_value_of_signs_of_codes_is_read(unit: str) -> None:
    assert not retells(unit * 5_000, {"nordmann"})
    assert not retells("&#" + "1" * 9_000 + ";", {"nordmann"})
