"""How a request is put: reply format, cap and temperature, and what an endpoint takes of them."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

Format: TypeAlias = Literal["schema", "strict", "json", "text"]
"""The whole JSON Schema, binding; what OpenAI's strict mode takes of it, or the whole one as a hint
where it cannot be said there; JSON mode; instructions alone. Best first."""
FORMATS: tuple[Format, ...] = get_args(Format)

FORMAT_WORDS: dict[Format, str] = {
    "schema": "a JSON Schema with all its bounds",
    "strict": "a JSON Schema, strict mode without bounds",
    "json": "JSON mode",
    "text": "instructions alone",
}

CapName: TypeAlias = Literal["max_tokens", "max_completion_tokens"]
CAPS: tuple[CapName, ...] = ("max_tokens", "max_completion_tokens")
"""How a cap on the reply is called. The older name stands in front: endpoints that do not know it
reject it, while those that do not know the other one let it pass and do not keep it."""

THINKING_TOKENS = 4_096
"""What the cap grows by for a model that thinks before it writes."""

_OF_FORM = re.compile(r"schema|response_format|grammar|max_\w*tokens|temperature", re.IGNORECASE)


class Form(NamedTuple):
    """How a request is put."""

    format: Format
    temperature: float | None
    """None: the model's own; some models accept no other."""
    cap: CapName | None = CAPS[0]
    """None: the endpoint takes no cap by either name."""
    thinks: bool = False
    """Whether the model spends tokens on thought before it writes."""

    def after(self, said: str, formats: Sequence[Format], schema: str) -> "Form | None":
        """What to try when the endpoint rejected this one; None when nothing is left.

        Args:
            said: the endpoint's own words.
            formats: all that may be tried, best first.
            schema: of the reply, as JSON.
        """
        if self.temperature is not None and self._blames("temperature", said.lower(), schema):
            return self._replace(temperature=None)
        if self.cap and self._blames(self.cap, said, schema):
            return self._replace(cap=self._next_cap())
        rest = formats[formats.index(self.format) + 1 :]
        return self._replace(format=rest[0]) if rest else None

    def _blames(self, name: str, said: str, schema: str) -> bool:
        """Whether an endpoint's words are about a setting of that name, and not about a tool's
        parameter: where they may repeat the schema, and that has the name, other formats come
        first. Else a document could have the cap of all replies taken off.
        """
        repeated = self.format in ("schema", "strict") and name in schema
        return not repeated and bool(re.search(rf"\b{name}\b", said))

    def unheeded(self) -> "Form":
        """The form for what comes next, where a reply went beyond its cap."""
        return self._replace(cap=self._next_cap() or self.cap)

    def words(self) -> str:
        """What the endpoint takes, for a person."""
        cap = f"cap by {self.cap}" if self.cap else "no cap on a reply"
        kept = "" if self.temperature is not None else ", temperature of its own"
        return f"{FORMAT_WORDS[self.format]}, {cap}{kept}{', thinks first' * self.thinks}"

    def _next_cap(self) -> CapName | None:
        return CAPS[1] if self.cap == CAPS[0] else None


def about_form(said: str) -> bool:
    """Whether an endpoint's words reject how a request is put, and not what it asks."""
    return bool(_OF_FORM.search(said))


class Forms:
    """What is known of one endpoint: the best form for all, and a lesser one for single steps."""

    def __init__(self, formats: Sequence[Format], first: Form) -> None:
        self.best = first
        self._formats = tuple(formats)
        self._accepted = False
        self._by_step: dict[str, Form] = {}

    def of(self, step: str) -> Form:
        """The form to begin with."""
        return self._by_step.get(step, self.best)

    def after(self, form: Form, said: str, schema: str = "") -> Form | None:
        """What to try when the endpoint rejected a form; None when nothing is left, or can help.

        Once a form was accepted, a rejection is about the question, unless it says otherwise.
        """
        doubted = not self._accepted or about_form(said)
        return form.after(said, self._formats, schema) if doubted else None

    def keep(self, step: str, form: Form, *, changed: bool) -> None:
        """Remember the best form for all, and a lesser one for the step whose schemas need it.

        JSON mode and instructions are not kept for a step: one tool's schema may be at fault.
        """
        if self._accepted and not form.cap:
            form = form._replace(cap=self.best.cap)  # it was too high beside one long prompt
        rank, form = self._formats.index, form._replace(thinks=form.thinks or self.best.thinks)
        if not self._accepted or rank(form.format) <= rank(self.best.format):
            self.best, self._accepted = form, True
        elif changed and form.format == "strict":
            self._by_step[step] = form

    def think(self) -> None:
        """The model thinks before it writes, whatever it is asked."""
        self.best = self.best._replace(thinks=True)
        self._by_step = {step: form._replace(thinks=True) for step, form in self._by_step.items()}
