"""Every exception that GRETEL raises on purpose: `from gretel.errors import InputError`.

The docstring of `gretel.contracts.errors` shows their tree.
"""

from gretel.contracts.errors import (
    ApprovalNeeded,
    ArgumentsError,
    BudgetSpent,
    CallRefused,
    CatalogError,
    ConfigurationError,
    DuplicateToolError,
    GretelError,
    IndexCorrupt,
    InputError,
    MachineError,
    ModelReplyError,
    SandboxUnavailable,
    ServiceBusy,
    ServiceUnreachable,
    UnknownToolError,
)

__all__ = [
    "ApprovalNeeded",
    "ArgumentsError",
    "BudgetSpent",
    "CallRefused",
    "CatalogError",
    "ConfigurationError",
    "DuplicateToolError",
    "GretelError",
    "IndexCorrupt",
    "InputError",
    "MachineError",
    "ModelReplyError",
    "SandboxUnavailable",
    "ServiceBusy",
    "ServiceUnreachable",
    "UnknownToolError",
]
