"""What MassTool is held against: rankings of the development requests without its second stage."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor
from torch.nn.functional import normalize

from gretel.catalog.retrieval_text import retrieval_text
from gretel.nodes.retrieve.masstool.pool import Pool, spread
from gretel.nodes.retrieve.semantic.sparse import SparseIndex, sparse_text
from gretel.training.masstool.first import FirstSettings
from gretel.training.masstool.measures import vote
from gretel.training.masstool.prepared import Prepared
from gretel.training.masstool.train import VOTERS


def bm25(prepared: Prepared) -> Tensor:
    """Words of the request in the tools' texts (Robertson and Zaragoza, 2009)."""
    tools = prepared.examples.tools
    index = SparseIndex([sparse_text(tool, retrieval_text(tool)) for tool in tools])
    asked = prepared.examples.dev.texts
    return torch.stack([torch.from_numpy(index.scores(text).scores) for text in asked])


def raw_encoder(prepared: Prepared) -> Tensor:
    """Cosine of request and tool text, by the encoder as it came."""
    return prepared.raw_dev @ prepared.encoded.texts.T


def tool2vec(prepared: Prepared) -> Tensor:
    """A tool is the mean of its training requests (Moon et al., 2024, arXiv 2409.02141).

    By the encoder as it came; a tool without requests has a score of 0.
    """
    served = spread(*prepared.pool.served(), len(prepared.examples.tools)) > 0
    return prepared.raw_dev @ normalize(served.T.float() @ prepared.raw, dim=-1).T


def raw_vote(prepared: Prepared) -> Tensor:
    """Tools of the nearest training requests, by the encoder as it came."""
    return _vote(prepared, Pool(prepared.raw, prepared.examples.train.gold), prepared.raw_dev)


def tuned_vote(prepared: Prepared) -> Tensor:
    """Tools of the nearest training requests, by the encoder after the first stage."""
    return _vote(prepared, prepared.pool, prepared.encoded.dev.final)


def _vote(prepared: Prepared, pool: Pool, asked: Tensor) -> Tensor:
    """As the first stage measures itself."""
    found = pool.nearest(asked, VOTERS)
    likeness = found.similarity / FirstSettings().temperature
    return vote(found.places, likeness, pool.served(), len(prepared.examples.tools))


BASELINES: Mapping[str, Callable[[Prepared], Tensor]] = {
    "BM25": bm25,
    "raw encoder": raw_encoder,
    "Tool2Vec": tool2vec,
    "kNN vote, raw encoder": raw_vote,
    "kNN vote, tuned encoder": tuned_vote,
}
"""(requests, tools) scores of the development part, by name."""
