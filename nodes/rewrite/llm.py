"""Zero-shot query generation: the queries that a model would search the catalogue with.

"Improving Tool Retrieval by Leveraging Large Language Models for Query Generation"
(arXiv 2412.03573), the zero-shot variant.
"""

from collections.abc import Sequence
from typing import Literal

from gretel import prompts
from gretel.catalog.document import as_list
from gretel.contracts.ranking import Request, RetrievalQuery
from gretel.contracts.record import JsonObject
from gretel.contracts.trial import Refusal, Trial
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

        The request itself comes before them, so that a rewrite can add candidates and lose none:
        with `feedback`, too, since what it finds behind the tried tools was never refuted.

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
        own = [RetrievalQuery(text=request.text)] if request.text.strip() else []
        rewritten = [text for text in texts if text.casefold() != request.text.strip().casefold()]
        origin: Literal["feedback", "rewrite"] = "feedback" if feedback else "rewrite"
        return own + [RetrievalQuery(text=text, origin=origin) for text in rewritten]


def _queries(reply: JsonObject) -> list[str]:
    texts = [prompts.one_line(str(text), MAX_CHARS) for text in as_list(reply["queries"])]
    distinct = list({text.casefold(): text for text in texts if text}.values())
    if not distinct:
        raise ValueError("queries: give at least one query that is not blank")
    return distinct[:MAX_QUERIES]


def _tried(trial: Trial) -> str:
    """What came of it in a line: what a call lacked, or why it failed and by which arguments."""
    name, failure = prompts.one_line(trial.tool_id, MAX_CHARS), trial.outcome.failure
    if isinstance(trial.plan, Refusal):
        lacked = [prompts.one_line(field.name, MAX_CHARS) for field in trial.plan.missing]
        return f"{name}: not called, lacks {', '.join(lacked) or 'a call that can be planned'}"
    blamed = [prompts.one_line(field, MAX_CHARS) for field in failure.fields] if failure else []
    why = ", ".join([failure.kind, *blamed]) if failure else ""
    return f"{name}: {trial.outcome.status}" + (f" ({why})" if why else "")
