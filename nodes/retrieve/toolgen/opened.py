"""An artefact with its base, ready for requests."""

from gretel.contracts.errors import IndexCorrupt
from gretel.nodes.retrieve.language.adapters import whole
from gretel.nodes.retrieve.language.base import CausalModel, Known, check_base
from gretel.nodes.retrieve.toolgen.artifact import Artifact
from gretel.nodes.retrieve.toolgen.coded import CodedModel
from gretel.nodes.retrieve.toolgen.model import ToolModel


def opened(artifact: Artifact, *, device: str = "cpu") -> ToolModel:
    """The base, tuned as it was in training, with the tools' tokens.

    Raises:
        ConfigurationError: the base cannot be loaded, or has other weights or another tokenizer.
        IndexCorrupt: the rows are none of this base's.
    """
    shape = artifact.manifest.shape
    base = CausalModel(shape.base, device=device)
    check_base(base, Known(shape.base_digest, shape.vocabulary, shape.template))
    if (shape.d_in, shape.d_out) != (base.d_in, base.d_out):
        raise IndexCorrupt("the artefact's rows are of another base. Train it again.")
    base.weights.tune(whole(artifact.weights, base.weights.known))
    book = artifact.book
    model = (
        ToolModel(base, artifact.rows)
        if book is None
        else CodedModel(base, artifact.rows, book, shape.slots)
    )
    model.hold()
    return model
