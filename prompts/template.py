"""A prompt file: front matter, instructions, and the user's part with its blocks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Template

import yaml

from gretel.contracts.errors import ConfigurationError
from gretel.contracts.ranking import Message
from gretel.text.blocks import MARK, block

_FILE = re.compile(
    r"\A---\n(?P<head>.*?)\n---\n+# system\n(?P<system>.*?)\n# user\n(?P<user>.*)\Z", re.DOTALL
)


@dataclass(frozen=True)
class Prompt:
    """What one step says to its model."""

    step: str
    version: str
    system: str
    """Instructions; what an override replaces. Taken as it is, without placeholders."""
    user: str
    """Template of the user's message: `$name` stands for a block, `$mark` for what is in its tags
    and nobody else can write."""
    blocks: dict[str, int]
    """The placeholders, each with the most characters that its block holds."""

    def render(self, **values: str) -> list[Message]:
        """The messages, with every value in a block of its own.

        A paragraph all of whose values are blank is left out with its heading.

        Raises:
            ConfigurationError: a value for no placeholder, or a placeholder without value.
        """
        for name in sorted(self.blocks.keys() ^ values.keys()):
            known = name in self.blocks
            raise ConfigurationError(
                f"{'no value for' if known else 'there is no'} placeholder {name!r}",
                field=f"prompts/{self.step}.md",
                remedy=f"Give exactly these: {', '.join(sorted(self.blocks))}",
            )
        filled = {name: block(name, values[name], limit) for name, limit in self.blocks.items()}
        return [
            Message(role="system", content=self.system),
            Message(role="user", content=self._said(values).substitute(filled, mark=MARK)),
        ]

    def _said(self, values: Mapping[str, str]) -> Template:
        """The user's part without the paragraphs that have nothing to say."""

        def blank(paragraph: str) -> bool:
            names = {*Template(paragraph).get_identifiers()} & values.keys()
            return bool(names) and not any(values[name].strip() for name in names)

        return Template("\n\n".join(p for p in self.user.split("\n\n") if not blank(p)))


def parse(step: str, text: str) -> Prompt:
    """Read a prompt file.

    Raises:
        ConfigurationError: a part is missing, or placeholders and blocks differ.
    """
    found = _FILE.match(text)
    head = yaml.safe_load(found["head"]) if found else None
    if not found or not isinstance(head, dict) or not {"version", "blocks"} <= head.keys():
        raise _unusable(step, "is no prompt file", "Write front matter, '# system' and '# user'")
    user, limits = found["user"].strip(), head["blocks"]
    if {*Template(user).get_identifiers()} - {"mark"} != {*limits}:
        raise _unusable(step, "uses other placeholders than its blocks", "Make both the same")
    return Prompt(step, str(head["version"]), found["system"].strip(), user, limits)


def _unusable(step: str, what: str, remedy: str) -> ConfigurationError:
    return ConfigurationError(what, field=f"prompts/{step}.md", remedy=remedy)
