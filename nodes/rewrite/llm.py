"""Zero-shot query generation: the queries that a model would search the catalogue with.

"Improving Tool Retrieval by Leveraging Large Language Models for Query Generation"
(arXiv 2412.03573), the zero-shot variant.
"""

from collections.abc import Sequence

from gretel import prompts
from gretel.catalog.document import as_list
from gretel.contracts.ranking import Request, RetrievalQuery
from gretel.contracts.record import JsonObject
from gretel.contracts.trial import Trial
from gretel.llm.model import StructuredModel

MAX_QUERIES = 4
MAX_CHARS = 300
ASKED_CHARS = 160
"""What a model is asked for at most: queries read like the first sentence of a description."""

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "queries": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": ASKED_CHARS},
            "minItems": 1,
            "maxItems": MAX_QUERIES,
        }
    },
    "required": ["queries"],
    "additionalProperties": False,
}
ACCEPTED: JsonObject = {
    "type": "object",
    "properties": {"queries": {"type": "array", "items": {"type": "string"}}},
    "required": ["queries"],
    "additionalProperties": False,
}
"""Endpoints that keep no bounds may give more and longer ones, which are cut."""


class LlmRewriter:
    """Asks a model for retrieval queries."""

    def __init__(self, model: StructuredModel) -> None:
        self._model = model

    async def rewrite(
        self, request: Request, feedback: Sequence[Trial] | None = None
    ) -> list[RetrievalQuery]:
        """At most four queries of the model's, never none.

        In the first round the request itself comes before them, so that a rewrite can add
        candidates and lose none. With `feedback` only the new queries are given.

        Raises:
            ModelReplyError: the model gave no query; the caller then asks for the request itself.
            GretelError: as `StructuredModel.reply` says.
        """
        messages = prompts.load("rewrite").render(
            request=request.text,
            conversation=prompts.conversation(request),
            tried="\n".join(_tried(trial) for trial in feedback or ()),
        )
        texts = await self._model.reply(
            messages, SCHEMA, _queries, step="rewrite", accepted=ACCEPTED
        )
        if feedback:
            return [RetrievalQuery(text=text, origin="feedback") for text in texts]
        own = [RetrievalQuery(text=request.text)] if request.text.strip() else []
        rewritten = [text for text in texts if text.casefold() != request.text.strip().casefold()]
        return own + [RetrievalQuery(text=text, origin="rewrite") for text in rewritten]


def _queries(reply: JsonObject) -> list[str]:
    texts = [prompts.one_line(str(text), MAX_CHARS) for text in as_list(reply["queries"])]
    distinct = list({text.casefold(): text for text in texts if text}.values())
    if not distinct:
        raise ValueError("queries: give at least one query that is not blank")
    return distinct[:MAX_QUERIES]


def _tried(trial: Trial) -> str:
    failure = trial.outcome.failure
    why = f" ({failure.kind})" if failure else ""
    return f"{prompts.one_line(trial.tool_id, MAX_CHARS)}: {trial.outcome.status}{why}"
