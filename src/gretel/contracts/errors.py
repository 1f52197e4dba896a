"""Every exception that GRETEL raises on purpose.

GretelError(RuntimeError)            RuntimeError, so that langgraph's server shows the text
 ├─ InputError(ValueError)           wrong input of the caller: `field`, `remedy`
 │   ├─ CatalogError                 a document or catalogue cannot be used
 │   ├─ DuplicateToolError           two tools would share a tool_id
 │   ├─ UnknownToolError             the catalogue has no such tool
 │   ├─ ArgumentsError               arguments break the tool's schema
 │   └─ ConfigurationError           a setting, model name or path is unusable
 ├─ ServiceUnreachable               a named service (model endpoint, …) does not answer
 │   └─ ServiceBusy                  it is there, and too slow, too busy or cut off this time
 ├─ ModelReplyError                  a model's reply stayed unusable after the repair round
 ├─ BudgetSpent                      a limit of the budget was reached
 ├─ CallRefused                      the policy does not allow this call
 ├─ ApprovalNeeded                   a run waits for a person: `thread_id`, `requests`
 └─ MachineError                     our own machinery broke
     ├─ SandboxUnavailable           the executor itself broke; says nothing about the tool
     └─ IndexCorrupt                 a stored index or artefact does not match its digest
"""

from collections.abc import Mapping
from copyreg import __newobj__  # type: ignore[attr-defined]
from typing import Any

from gretel.contracts.record import JsonObject
from gretel.text.foreign import SENTENCE, sentence
from gretel.text.redact import shapes_masked
from gretel.text.secret_shapes import MASK


class GretelError(RuntimeError):
    """Base of all errors that GRETEL raises on purpose; their texts are safe to print."""

    def __init__(self, message: str = "") -> None:
        super().__init__(sentence(message))

    def __reduce__(self) -> tuple[Any, ...]:
        # As it stands: another process could not make it anew of its text alone, and a pool whose
        # worker raised it would wait for ever.
        return __newobj__, (type(self), *self.args), self.__dict__


class InputError(GretelError, ValueError):
    """The caller's input is wrong.

    Attributes:
        field: the field, option or place that is wrong; a key in its place is masked.
        remedy: what to do about it.
    """

    def __init__(self, message: str, *, field: str, remedy: str) -> None:
        said = f"{field}: {message}. {remedy}"
        super().__init__(said)
        # a list may have an error a line, and few of them hold what is to be masked
        hides = MASK in str(self) or len(said) > SENTENCE
        self.field = shapes_masked(field) if hides else field
        self.remedy = shapes_masked(remedy) if hides else remedy


class CatalogError(InputError):
    """A document or a catalogue cannot be used."""


class DuplicateToolError(InputError):
    """Two tools would share a tool_id even after qualification."""


class UnknownToolError(InputError):
    """The catalogue has no such tool."""


class ArgumentsError(InputError):
    """Arguments break the tool's schema."""


class ConfigurationError(InputError):
    """A setting, a model name or a path is unusable."""


class ServiceUnreachable(GretelError):
    """A service that the caller named does not answer."""


class ServiceBusy(ServiceUnreachable):
    """The service gave no complete answer this time: it was too slow, too busy, or cut off."""


class ModelReplyError(GretelError):
    """A model's reply stayed unusable after the repair round, or the model refused."""


class BudgetSpent(GretelError):
    """A limit of the budget was reached."""


class CallRefused(GretelError):
    """The policy does not allow this call.

    Attributes:
        reason: the failure kind that says why.
    """

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class ApprovalNeeded(GretelError):
    """A run waits for a person to say which calls may be made; `Selector.resume` continues it.

    Attributes:
        thread_id: the run that waits.
        requests: the questions, by the id to answer them with: `tool_id`, `method`, `url`
            (without credentials), `arguments`, `reason`.
    """

    def __init__(self, thread_id: str, requests: Mapping[str, JsonObject]) -> None:
        tools = ", ".join(str(asked.get("tool_id")) for asked in requests.values())
        super().__init__(f"run {thread_id} waits for a person's approval of: {tools}")
        self.thread_id = thread_id
        self.requests = dict(requests)


class MachineError(GretelError):
    """Our own machinery broke."""


class SandboxUnavailable(MachineError):
    """The executor itself broke; this says nothing about the tool."""


class IndexCorrupt(MachineError):
    """A stored index or artefact does not match its digest."""
