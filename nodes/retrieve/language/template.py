"""How a text is put to a language model: tokens before and after it."""

from typing import Any

from pydantic import Field

from gretel.contracts.record import Record

_TEXT = "example"


class Template(Record):
    """Tokens before and after a text; behind the last of them a model goes on."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = Field(min_length=1)


def template_of(tokenizer: Any) -> Template:
    """As a chat model's user says it later on; else within the tokenizer's own marks, or asked."""
    if getattr(tokenizer, "chat_template", None):
        before, _, after = _turn(tokenizer).rpartition(_TEXT)
        start, end = tokenizer([before, after], add_special_tokens=False)["input_ids"]
        return Template(before=tuple(start), after=tuple(end))
    bare = tokenizer(_TEXT, add_special_tokens=False)["input_ids"]
    marked = tokenizer(_TEXT)["input_ids"]
    start = next(n for n in range(len(marked)) if marked[n : n + len(bare)] == bare)
    after = marked[start + len(bare) :]
    if not after:
        after = tokenizer("\nTool:", add_special_tokens=False)["input_ids"]
    return Template(before=tuple(marked[:start]), after=tuple(after))


def _turn(tokenizer: Any) -> str:
    """A user's turn, and the beginning of the answer to it.

    That of a later turn where it can be told: before the first one many templates put a preamble
    that is longer than a request, and would be read with each.
    """
    said = [{"role": "user", "content": _TEXT}]
    whole: str = tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True)
    known = [*said, {"role": "assistant", "content": _TEXT}]
    before = tokenizer.apply_chat_template(known, tokenize=False)
    later = tokenizer.apply_chat_template(
        [*known, *said], tokenize=False, add_generation_prompt=True
    )
    turn: str = later.removeprefix(before)
    if turn == later or turn.count(_TEXT) != 1:
        return whole
    begin = tokenizer.bos_token or ""
    return begin + turn if whole.startswith(begin) and not turn.startswith(begin) else turn
