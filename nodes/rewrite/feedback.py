"""The feedback round: what was missing or failed shapes the next queries, without a model.

Trials say two things that a request does not. A tool that could not be called lacked a value,
which another tool may give. A tool whose server failed was of the right kind, and others of its
kind do the same elsewhere; one whose answer was beside the point was not. The request stays the
leading query, since what it finds behind the tried tools is likelier than anything else.
"""

from collections.abc import Iterator, Sequence

from gretel.catalog import Catalog
from gretel.catalog.retrieval_text import plain_description
from gretel.contracts.ranking import Request, RetrievalQuery
from gretel.contracts.trial import FAILURE_CLASS, Refusal, Trial
from gretel.nodes.conversation import in_view
from gretel.nodes.rewrite.queries import MAX_LACKED, beside, distinct
from gretel.text.identifiers import identifier_text
from gretel.workers import off_loop


class FeedbackRewriter:
    """Asks for the request itself first, and for what its trials lacked then."""

    def __init__(self, catalog: Catalog) -> None:
        """Read what failed tools are for in `catalog`."""
        self._catalog = catalog

    async def rewrite(
        self, request: Request, feedback: Sequence[Trial] | None = None
    ) -> list[RetrievalQuery]:
        """See `QueryRewriter.rewrite`: at most four queries beside the request."""
        wanted = await off_loop(self._queries, feedback or ())
        return beside(in_view(request), wanted, "feedback")

    def _queries(self, tried: Sequence[Trial]) -> list[str]:
        return distinct(self._wanted(tried))

    def _wanted(self, tried: Sequence[Trial]) -> Iterator[str]:
        """What would help: missing values first, then tools like those whose servers failed."""
        for trial in tried:
            if isinstance(trial.plan, Refusal):
                for field in trial.plan.missing[:MAX_LACKED]:
                    yield f"{identifier_text(field.name)} {field.description}"
        for trial in tried:
            failure = trial.outcome.failure
            broken = failure is not None and FAILURE_CLASS[failure.kind] == "execution_failure"
            if broken and trial.tool_id in self._catalog:
                tool = self._catalog[trial.tool_id]  # without its toolkit: others do the same
                yield f"{identifier_text(tool.operation)}. {plain_description(tool.description)}"
