"""What a stranger's calls send, and what they are answered, takes nothing from others' evidence."""

import pytest

from fakes import param, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Argument, ArgumentSource, CallPlan, Trial
from gretel.nodes.rerank.answer_words import answer_words
from gretel.nodes.select.fitting import fate_of

ORDER = "Show the order KRAB-3721 of our shop."
CODE = (ORDER.index("KRAB"), ORDER.index(" of our"))


def asked_of_one_server(name: str, rank: int) -> Trial:
    value = Argument(value="KRAB-3721", source="request", span=CODE)
    outcome = succeeded('{"total": 5}').model_copy(update={"body_sha256": "a", "host": "a.example"})
    planned = CallPlan(tool_id=ToolId(name), arguments={"id": value})
    return trial(name, rank, planned=planned, executed=outcome)


@pytest.mark.parametrize("copies", [0, 1, 3])
def test_a_copy_of_an_operation_takes_no_answer_from_it(copies: int) -> None:
    names = ["Shop.order", *(f"Evil.order{number}" for number in range(copies))]
    catalog = Catalog.from_tools(tool(name, server="https://a.example") for name in names)
    trials = [asked_of_one_server(name, rank) for rank, name in enumerate(names, 1)]

    assert fate_of(ORDER, trials, catalog) == "known"


OWNER = "Who owns the plugin, and what is its licence?"


@pytest.mark.parametrize(
    ("schema", "source"),
    [
        ({"default": "owner licence plugin"}, "default"),
        ({"enum": ["owner licence plugin"]}, "enum"),
        ({"const": "owner licence plugin"}, "request"),
        ({"type": "string"}, "example"),
    ],
    ids=["default", "enum", "const, as the request says it", "sample"],
)
def test_values_that_a_document_says_take_no_words_from_others_answers(
    schema: JsonObject, source: ArgumentSource
) -> None:
    stranger = tool("Evil.get", params=[param("v", schema, required=True)])
    catalog = Catalog.from_tools([tool("Right.get"), tool("Rival.get"), stranger])
    own = [
        trial("Right.get", executed=succeeded('{"owner": "Ann", "licence": "MIT"}')),
        trial("Rival.get", executed=succeeded('{"count": 3}')),
    ]
    value = Argument(value="owner licence plugin", source=source)
    planned = CallPlan(tool_id=ToolId("Evil.get"), arguments={"v": value})
    before = answer_words(OWNER, own, catalog)[ToolId("Right.get")]

    found = answer_words(OWNER, [*own, trial("Evil.get", planned=planned)], catalog)

    assert found[ToolId("Right.get")] >= before > 0
