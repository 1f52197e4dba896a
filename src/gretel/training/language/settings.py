"""What every training of a language model is told."""

from pydantic import Field

from gretel.contracts.record import Record


class LoopSettings(Record):
    """How weights are changed; a training of its own adds what it learns, and how often."""

    patience: int = Field(default=1, ge=1)
    """Epochs of the last stage without gain on the development part after which it ends."""
    batch: int = Field(default=32, ge=1)
    micro: int = Field(default=32, ge=1)
    """Texts that are read at once: a batch is put together from several."""
    rate: float = Field(default=2e-4, gt=0)
    """Of the model's own weights."""
    decay: float = 0.01
    """Of the model's own matrices."""
    warm_up: float = 0.03
    """Share of a stage until the full rate."""
    least: float = 0.05
    """Share of the full rate at a stage's end."""
    tuned: float = Field(default=1 / 3, ge=0, le=1)
    """Share of the layers that learn, from the top; 1 takes the embeddings, too."""
    lora: int = Field(default=0, ge=0, le=1_024)
    """Rank of the adapters by which these layers learn; 0: their own weights do."""
    keep: int = Field(default=100, ge=1)
    """Steps after which the state is kept: so much is lost at most where training is cut off."""
    seed: int = 7
