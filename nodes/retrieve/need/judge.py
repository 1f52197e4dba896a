"""Whether a request needs a tool and one of the catalogue fits, whatever retriever was asked."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import cached_property

from gretel.catalog import Catalog
from gretel.contracts.ranking import Chances, MatchSignals, Retrieval, RetrievalQuery
from gretel.nodes.retrieve.need.answerable import Answerability
from gretel.nodes.retrieve.need.classifier import NeedClassifier
from gretel.nodes.retrieve.need.measuring import CatalogMatch
from gretel.text.language import language_name


class FittedJudge:
    """Judges by the fitted models of `answerable.py` and `classifier.py`.

    They read the retriever's own signals. Where it gives none (a caller's retriever, MassTool
    without no-tool requests), the signals are measured here, on the candidates that it found.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._match = CatalogMatch(catalog)

    async def judge(self, queries: Sequence[RetrievalQuery], retrieval: Retrieval) -> Retrieval:
        """See `NeedJudge.judge`: the likeliest query that is no part of another decides.

        A probability is None where one of these queries cannot be judged: there is nothing to
        search, it is in a language that the encoder was not taught (a note says so), or, for
        `needs_tool`, the encoder is not the bundled one.
        """
        if retrieval.needs_tool is not None or retrieval.answerable is not None:
            return retrieval
        asked = [query.text for query in queries if query.origin != "part"]
        signals = retrieval.signals
        if not signals and any(retrieval.candidates):
            signals = await asyncio.to_thread(self._match.signals, asked, retrieval)
        judged = [self._chances(*pair) for pair in zip(asked, signals, strict=False)]
        return retrieval.model_copy(
            update={
                "needs_tool": _likeliest(chances.needs_tool for chances in judged),
                "answerable": _likeliest(chances.answerable for chances in judged),
                "notes": (*retrieval.notes, *_foreign(each.language for each in signals)),
            }
        )

    @cached_property
    def _answerability(self) -> Answerability:
        return Answerability.load()

    @cached_property
    def _need(self) -> NeedClassifier:
        return NeedClassifier.load()

    def _chances(self, text: str, signals: MatchSignals) -> Chances:
        need = self._need.log_odds(text, signals.middle) if signals.middle else None
        return self._answerability.chances(signals, need)


def _foreign(languages: Iterable[str | None]) -> tuple[str, ...]:
    """One note on the first of the languages that the encoder was not taught."""
    return tuple(
        f"The request seems to be in {language_name(code)}, but the encoder knows only English: "
        "tools were found by the names, ids and words that they share with the request, and "
        "whether one fits was not judged."
        for code in [*filter(None, languages)][:1]
    )


def _likeliest(chances: Iterable[float | None]) -> float | None:
    """The highest; None where one is unknown, or there is none."""
    found = list(chances)
    known = [chance for chance in found if chance is not None]
    return max(known, default=None) if len(known) == len(found) else None
