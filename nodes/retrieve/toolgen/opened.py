"""An artefact with its base, ready for requests."""

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.encoding.encoder import BUNDLED
from gretel.nodes.retrieve.toolgen.adapters import whole
from gretel.nodes.retrieve.toolgen.artifact import Artifact
from gretel.nodes.retrieve.toolgen.base import CausalModel
from gretel.nodes.retrieve.toolgen.coded import CodedModel
from gretel.nodes.retrieve.toolgen.model import ToolModel


def opened(artifact: Artifact, *, device: str = "cpu") -> ToolModel:
    """The base, tuned as it was in training, with the tools' tokens.

    Raises:
        ConfigurationError: the base cannot be loaded, or has other weights or another tokenizer.
    """
    shape = artifact.manifest.shape
    base = CausalModel(shape.base, device=device)
    said = (shape.base_digest, shape.vocabulary, shape.template)
    if said != (base.weights.digest, base.vocabulary, base.template):
        raise ConfigurationError(
            "has other weights or another tokenizer than the artefact was trained with",
            field=f"base {shape.base or BUNDLED}",
            remedy="Install the base that the artefact names, or train it again.",
        )
    base.weights.tune(whole(artifact.weights, base.weights.known))
    book = artifact.book
    if book is None:
        return ToolModel(base, artifact.rows)
    return CodedModel(base, artifact.rows, book, shape.slots)
