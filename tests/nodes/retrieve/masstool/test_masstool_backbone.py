"""Any sentence-transformers model may be the backbone, wherever it keeps its layers."""

from pathlib import Path

import pytest
import torch

from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.masstool.backbone import MAX_TOKENS, Backbone
from masstool_backbones import DEPTH, WIDTH, write_backbone

TEXTS = ("which ferry leaves Oslo", "rain", "a request of more words than the others have " * 30)


def transformer(backbone: Backbone) -> torch.nn.Module:
    found = backbone.module.transformers_model
    assert isinstance(found, torch.nn.Module)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "kept"),
    [
        ("bert", "encoder.layer"),
        ("distilbert", "transformer.layer"),
        ("modernbert", "layers"),
        ("mpnet", "encoder.layer"),
        ("roberta", "encoder.layer"),
    ],
)
def test_layers_are_found_where_the_model_keeps_them(kind: str, kept: str, tmp_path: Path) -> None:
    backbone = Backbone(str(write_backbone(kind, tmp_path)))
    stack = transformer(backbone).get_submodule(kept)

    assert (backbone.depth, backbone.middle, backbone.width) == (DEPTH, DEPTH // 2, WIDTH)
    assert [*map(id, backbone.layers)] == [*map(id, stack.children())]


@pytest.mark.slow
def test_the_layers_of_the_install_are_as_they_were() -> None:
    backbone = Backbone()
    stack = transformer(backbone).get_submodule("encoder.layer")

    assert (backbone.depth, backbone.middle) == (6, 3)
    assert [*map(id, backbone.layers)] == [*map(id, stack.children())]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["distilbert", "modernbert", "albert"])
def test_the_early_vector_is_of_the_middle_layer(kind: str, tmp_path: Path) -> None:
    backbone = Backbone(str(write_backbone(kind, tmp_path)))
    made = backbone.encode(TEXTS)
    with torch.inference_mode():
        read = backbone.module(backbone.tokens(TEXTS[1:2]))["all_layer_embeddings"]
    middle = torch.nn.functional.normalize(read[DEPTH // 2][0].mean(0), dim=-1)

    assert len(read) == DEPTH + 1
    assert torch.allclose(made.early[1], middle, atol=1e-5)
    assert not torch.allclose(made.early, made.final, atol=1e-5)


@pytest.mark.slow
def test_a_layer_that_is_passed_again_and_again_is_no_stack(tmp_path: Path) -> None:
    backbone = Backbone(str(write_backbone("albert", tmp_path)))

    assert (backbone.depth, backbone.layers) == (DEPTH, [])


def test_a_table_of_words_reads_requests_without_layers(tmp_path: Path) -> None:
    backbone = Backbone(str(write_backbone("static", tmp_path)))
    backbone.before_tuning()
    made = backbone.encode(TEXTS)

    assert (backbone.depth, backbone.layers, backbone.width) == (0, [], WIDTH)
    assert torch.allclose(made.final.norm(dim=1), torch.ones(len(TEXTS)))
    assert torch.equal(made.early, made.final)


@pytest.mark.slow
def test_what_is_longer_is_cut(tmp_path: Path) -> None:
    backbone = Backbone(str(write_backbone("distilbert", tmp_path)))

    assert backbone.tokens(TEXTS)["input_ids"].shape == (len(TEXTS), MAX_TOKENS)


@pytest.mark.slow
def test_texts_are_put_together_by_their_tokens(tmp_path: Path) -> None:
    texts = [f"{'a ' * (7 - place % 7)}{'extraordinarily' * (place % 3)}" for place in range(70)]
    backbone = Backbone(str(write_backbone("distilbert", tmp_path)))
    alone = torch.cat([backbone.encode([text]).final for text in texts])

    assert backbone.lengths(texts) == [
        int(backbone.tokens([text])["attention_mask"].sum()) for text in texts
    ]
    assert torch.allclose(backbone.encode(texts).final, alone, atol=1e-5)


def test_where_there_are_no_tokens_characters_are_counted(tmp_path: Path) -> None:
    backbone = Backbone(str(write_backbone("static", tmp_path)))

    assert backbone.lengths(TEXTS * 30) == [*map(len, TEXTS)] * 30


def test_an_encoder_whose_length_cannot_be_set_opens(tmp_path: Path) -> None:
    vectors = Encoder(str(write_backbone("static", tmp_path))).queries(TEXTS)

    assert vectors.shape == (len(TEXTS), WIDTH)
