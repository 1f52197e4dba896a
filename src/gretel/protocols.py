"""The parts of GRETEL that can be exchanged, as protocols: `gretel.protocols.Retriever`.

Any object with these methods can be the part; it need not inherit from the protocol. The records
that go in and out are in `gretel.contracts`.
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
