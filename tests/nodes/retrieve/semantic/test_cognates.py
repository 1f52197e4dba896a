import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.ranking import RetrievalQuery
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.semantic.sparse import SparseIndex

TOOLS = [
    tool("db.describe_table", "Get the schema of a table.", params=["table_name"]),
    tool("bugs.versions_list", "List the versions of a project.", params=["project"]),
    tool("bugs.teams_list", "List all teams."),
    tool("pay.balance", "Balance of a wallet.", params=["wallet"]),
]


@pytest.mark.parametrize(
    ("text", "near"),
    [
        # by words of like spelling
        ("Wie ist die Tabelle members aufgebaut?", ["table"]),
        ("Welche Versionen sind für das Projekt erfasst?", ["version", "project"]),
        ("Quelle heure est-il ?", []),
        ("table project", []),
    ],
)
def test_words_spelt_nearly_like_the_documents_own_are_found(text: str, near: list[str]) -> None:
    index = SparseIndex([f"{each.operation} {each.description}" for each in TOOLS])

    assert index.cognates(text) == near


@pytest.mark.parametrize(
    ("text", "tool_id"),
    [
        ("Wie ist die Tabelle members aufgebaut?", "db.describe_table"),
        ("Welche Versionen sind für Projekt 1 schon erfasst?", "bugs.versions_list"),
        ("Quelles sont les versions du projet 7 ?", "bugs.versions_list"),
        # by its gloss
        ("Wie hoch ist das Guthaben meiner Brieftasche?", "pay.balance"),
        ("¿Qué equipos tenemos ahora mismo?", "bugs.teams_list"),
        ("现在有哪些团队?", "bugs.teams_list"),
    ],
)
async def test_a_foreign_request_finds_tools_by_like_words_or_by_its_gloss(
    text: str, tool_id: str
) -> None:
    retriever = await SemanticRetriever.build(Catalog.from_tools(TOOLS))
    retrieval = await retriever.retrieve([RetrievalQuery(text=text)], k=4)

    assert retrieval.candidates[0][0].tool_id == tool_id
    assert retrieval.candidates[0][0].parts["sparse"] > 0
