"""The parts of GRETEL that can be exchanged, as protocols: `gretel.protocols.Retriever`.

An object with these methods serves as the part; it need not inherit from the protocol. What goes
in and out is defined in `gretel.contracts`.
"""

from gretel.contracts.protocols import (
    AgentModel,
    CandidateOrder,
    Executor,
    NeedJudge,
    Planner,
    QueryRewriter,
    Reranker,
    Retriever,
    Simulator,
)

__all__ = [
    "AgentModel",
    "CandidateOrder",
    "Executor",
    "NeedJudge",
    "Planner",
    "QueryRewriter",
    "Reranker",
    "Retriever",
    "Simulator",
]
