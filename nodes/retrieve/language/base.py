"""A causal language model: opened, and read up to its head."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.artifact.tuning import TunedModel, layers_of
from gretel.nodes.retrieve.encoding.claims import check_claims
from gretel.nodes.retrieve.encoding.encoder import BUNDLED
from gretel.nodes.retrieve.encoding.folders import (
    TOKEN_CHARACTERS,
    default_model_path,
    first_line,
    model_folder,
    unpanicked,
)
from gretel.nodes.retrieve.language.template import Template, template_of

MAX_TOKENS = 96
"""Of a text; what comes after is cut, since the longest one decides what a batch costs."""
BATCH = 32
_CHARACTERS = TOKEN_CHARACTERS * MAX_TOKENS
_ENCODERS = ("bert", "electra", "roberta", "xlm-roberta")
"""Models whose weights were an encoder's: they read as decoders when they are told to."""
_PASSED = 0.1
"""GELU is a straight line for numbers this small."""
_HERE: Any = {"local_files_only": True, "trust_remote_code": False}


class Batch(NamedTuple):
    """Token lists of one length: with absolute positions only the right end may be padded."""

    tokens: Tensor
    mask: Tensor

    @property
    def last(self) -> Tensor:
        """(n,) positions of the last tokens."""
        return self.mask.sum(1) - 1


class CausalModel:
    """A model of our own, which nobody shares.

    Attributes:
        name: folder or Hugging Face name; None for MiniLM of the install, read as a decoder.
        model: of transformers, in evaluation mode: dropout costs time, few epochs overfit little.
        vocabulary: how many rows its own embedding has: the token of slot 0.
        d_in, d_out: lengths of what a token is read as, and of what its head takes.
        has_bias: whether its head has one; only then tools have.
        template: how a text is put.
        layers: lowest first; none where they cannot be told apart.
        weights: what was tuned.
    """

    auto: ClassVar[str] = "AutoModelForCausalLM"
    """Of transformers: what opens it."""

    def __init__(self, name: str | None = None, *, device: str = "cpu") -> None:
        """Open it from this machine; nothing is downloaded, and no code of the model's is run.

        Raises:
            ConfigurationError: it cannot be loaded, or is no causal language model.
        """
        self.name = name
        self.device = torch.device(device)
        self.tokenizer, self.model, self.template = _opened(name, self.auto)
        self.model.to(self.device).eval()
        embedding, head = self.model.get_input_embeddings(), self.model.get_output_embeddings()
        if embedding is None or head is None:
            raise _unusable(name, "it has no embeddings of tokens, or no head")
        self.vocabulary, self.d_in = embedding.weight.shape
        self.d_out = int(head.weight.shape[1])
        self.has_bias = getattr(head, "bias", None) is not None
        depth = int(getattr(self.model.config.get_text_config(), "num_hidden_layers", 0) or 0)
        self.layers: list[nn.Module] = layers_of(self.model, depth)
        self.weights = TunedModel(self.model, f"base {name or BUNDLED}")

    def prompts(self, texts: Sequence[str]) -> list[list[int]]:
        """Token lists of texts: a text is never read as a special token, and cut after
        `MAX_TOKENS`.
        """
        if not texts:
            return []
        before, after = self.template.before, self.template.after
        return [[*before, *own, *after] for own in self._tokens(texts)]

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        try:  # its folder may come with an artefact, and so from a stranger
            with unpanicked():
                read = self.tokenizer(
                    [text[:_CHARACTERS] for text in texts],
                    add_special_tokens=False,
                    split_special_tokens=True,
                    truncation=True,
                    max_length=MAX_TOKENS,
                )
            own = (self.template.before, self.template.after, *read["input_ids"])
            if max(chain(*own)) >= self.vocabulary:
                raise ValueError("its tokenizer has tokens that it has no rows for")
        except Exception as error:
            raise _unusable(self.name, first_line(error)) from error
        return [*read["input_ids"]]

    def batch(self, prompts: Sequence[Sequence[int]]) -> Batch:
        """Token lists side by side."""
        length = max(map(len, prompts))
        tokens = torch.zeros(len(prompts), length, dtype=torch.long)
        mask = torch.zeros(len(prompts), length, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            tokens[row, : len(prompt)] = torch.tensor(prompt)
            mask[row, : len(prompt)] = 1
        return Batch(tokens.to(self.device), mask.to(self.device))

    def forward(self, batch: Batch, behind: Any = None) -> Tensor:
        """What the head gives: (n, length, tokens).

        `behind`: a `Kept` of the tokens before these (`beginning.py`).
        """
        mask, past = batch.mask, {}
        if behind is not None:
            mask = torch.cat([mask.new_ones(len(mask), behind.tokens), mask], dim=1)
            past = {"past_key_values": behind.states}
        made = self.model(input_ids=batch.tokens, attention_mask=mask, use_cache=bool(past), **past)
        logits: Tensor = made.logits
        return logits


class Known(NamedTuple):
    """What an artefact says of the base that it was trained from."""

    digest: str
    """Of its weights before anything was tuned."""
    vocabulary: int
    template: Template


def check_base(base: CausalModel, said: Known) -> None:
    """Refuse a base that is not what it was.

    Raises:
        ConfigurationError: it has other weights or another tokenizer.
    """
    if said != Known(base.weights.digest, base.vocabulary, base.template):
        raise ConfigurationError(
            "has other weights or another tokenizer than the artefact was trained with",
            field=f"base {base.name or BUNDLED}",
            remedy="Install the base that the artefact names, or train it again.",
        )


def read_config(name: str | None) -> Any:
    """What a base says of itself, as transformers reads it; no code of the model's is run.

    Raises:
        ConfigurationError: it cannot be read.
    """
    from transformers import AutoConfig

    try:
        folder = _folder(name)
        check_claims(folder)
        return AutoConfig.from_pretrained(folder, **_HERE)
    except Exception as error:  # a base may come with an artefact of a stranger
        raise _unusable(name, first_line(error)) from error


def _folder(name: str | None) -> Path:
    return default_model_path() if name is None else model_folder(name)


def _opened(name: str | None, auto: str) -> tuple[Any, Any, Template]:
    config = read_config(name)
    try:
        with unpanicked():
            tokenizer, model = _from(_folder(name), config, auto)
            return tokenizer, model, template_of(tokenizer)
    except Exception as error:  # a base may come with an artefact of a stranger
        raise _unusable(name, first_line(error)) from error


def _from(folder: Path, config: Any, auto: str) -> tuple[Any, Any]:
    import transformers
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    if config.model_type in _ENCODERS:
        config.is_decoder = True
    before = logging.get_verbosity()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    try:
        with torch.random.fork_rng():
            torch.manual_seed(0)  # what a checkpoint lacks is the same each time
            made: Any = getattr(transformers, auto).from_pretrained(
                folder,
                config=config,
                output_loading_info=True,
                use_safetensors=True,  # no pickle: a base may come with an artefact of a stranger
                dtype=torch.float32,
                **_HERE,
            )
    finally:
        logging.set_verbosity(before)
    model, told = made
    _pass_through(model, told["missing_keys"])
    return transformers.AutoTokenizer.from_pretrained(folder, **_HERE), model


def _pass_through(model: Any, missing: Sequence[str]) -> None:
    """Let an encoder's head, where its checkpoint has none, take hidden states as they are."""
    own = dict(model.named_parameters())
    with suppress(KeyError), torch.no_grad():
        for name in (key for key in missing if key.endswith("transform.dense.weight")):
            weight = own[name]
            weight.copy_(_PASSED * torch.eye(*weight.shape))


def _unusable(name: str | None, why: str) -> ConfigurationError:
    return ConfigurationError(
        f"the base {name or BUNDLED!r} cannot be used ({why})",
        field="base",
        remedy="Give the folder of a language model of Hugging Face, or its name after "
        "`hf download NAME` (models are not downloaded here), or leave it out.",
    )
