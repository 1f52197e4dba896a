"""The feedback round: what was missing or failed shapes the next queries, without a model.

Trials say two things that a request does not. A tool that could not be called lacked a value,
which another tool may give. A tool whose server failed was of the right kind, and others of its
kind do the same elsewhere; one whose answer was beside the point was not. The request stays the
leading query, since what it finds behind the tried tools is likelier than anything else.
"""

from collections.abc import Iterator, Sequence

from gretel import prompts
from gretel.catalog import Catalog
from gretel.catalog.retrieval_text import plain_description
from gretel.contracts.ranking import Request, RetrievalQuery
from gretel.contracts.trial import FAILURE_CLASS, Refusal, Trial
from gretel.nodes.conversation import in_view
from gretel.text.identifiers import identifier_text

MAX_QUERIES = 4
"""Beside the request, as many as a model may write."""
MAX_CHARS = 300


class FeedbackRewriter:
    """Asks for the request itself first, and for what its trials lacked then."""

    def __init__(self, catalog: Catalog) -> None:
        """Read what failed tools are for in `catalog`."""
        self._catalog = catalog

    async def rewrite(
        self, request: Request, feedback: Sequence[Trial] | None = None
    ) -> list[RetrievalQuery]:
        """See `QueryRewriter.rewrite`: at most four queries beside the request."""
        texts = dict.fromkeys(
            prompts.one_line(text, MAX_CHARS) for text in self._wanted(feedback or ())
        )
        wanted = [*filter(None, texts)][:MAX_QUERIES]
        return [
            RetrievalQuery(text=in_view(request)),
            *(RetrievalQuery(text=text, origin="feedback") for text in wanted),
        ]

    def _wanted(self, tried: Sequence[Trial]) -> Iterator[str]:
        """What would help: missing values first, then tools like those whose servers failed."""
        for trial in tried:
            if isinstance(trial.plan, Refusal):
                for field in trial.plan.missing:
                    yield f"{identifier_text(field.name)} {field.description}"
        for trial in tried:
            failure = trial.outcome.failure
            broken = failure is not None and FAILURE_CLASS[failure.kind] == "execution_failure"
            if broken and trial.tool_id in self._catalog:
                tool = self._catalog[trial.tool_id]  # without its toolkit: others do the same
                yield f"{identifier_text(tool.operation)}. {plain_description(tool.description)}"
