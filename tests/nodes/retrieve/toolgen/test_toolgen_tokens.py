"""Tool tokens beside a model's own: what a longer vocabulary would give, for every architecture."""

from copy import deepcopy
from typing import Any

import pytest
import torch
from torch import Tensor

from gretel.nodes.retrieve.language.base import Batch, CausalModel
from gretel.nodes.retrieve.language.template import Template
from gretel.nodes.retrieve.toolgen.decoding import Decoding
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.slots import RESERVED
from lanes import every
from toolgen_models import KINDS, WORDS, random_model, tiny

TEXTS = ["find a flight", "x", "a hotel in Oslo, with a view of the water"]
TOOLS = 40


@pytest.fixture(params=every(2, KINDS))
def model(request: pytest.FixtureRequest) -> ToolModel:
    return random_model(request.param, TOOLS)


def everything(model: ToolModel, prompt: list[int]) -> Tensor:
    """Scores of both kinds of tokens at the last place, from the model itself."""
    batch = model.base.batch([prompt])
    with model.extension.scoring("all"), torch.inference_mode():
        return model.base.forward(batch)[0, -1]


def resized(model: ToolModel, kind_tokens: Tensor) -> Tensor:
    """Scores of a plain copy with longer matrices."""
    own = CausalModel(model.base.name)
    plain: Any = own.model
    head, embedding = plain.get_output_embeddings(), plain.get_input_embeddings()
    if head.weight is embedding.weight:
        plain.set_output_embeddings(deepcopy(head))
    plain.config.tie_word_embeddings = False
    rows = model.rows
    plain.resize_token_embeddings(WORDS + len(rows), mean_resizing=False)
    head, embedding = plain.get_output_embeddings(), plain.get_input_embeddings()
    with torch.no_grad():
        embedding.weight[WORDS:] = rows.into
        head.weight[WORDS:] = rows.out
        if head.bias is not None:
            head.bias[WORDS:] = rows.bias
        return plain(input_ids=kind_tokens).logits[0, -1]


def test_scores_are_those_of_a_longer_vocabulary(model: ToolModel) -> None:
    if not model.base.has_bias:
        model.rows.bias.zero_()
    (prompt,) = model.base.prompts(TEXTS[:1])
    with_tools = [*prompt, WORDS + 5, WORDS + 7]
    for tokens in (prompt, with_tools):
        wanted = resized(model, torch.tensor([tokens]))

        torch.testing.assert_close(everything(model, tokens), wanted, atol=1e-5, rtol=1e-5)
        scores = model.read([tokens]).scores[0]
        torch.testing.assert_close(scores, wanted[WORDS:], atol=1e-5, rtol=1e-5)


def test_texts_of_any_length_together_score_as_alone(model: ToolModel) -> None:
    together = model.texts(TEXTS).scores
    alone = torch.cat([model.texts([text]).scores for text in TEXTS])

    torch.testing.assert_close(together, alone, atol=1e-4, rtol=1e-4)


def begun(model: ToolModel) -> list[int]:
    """Texts stand behind three tokens from now on; how many tokens are read of each, in turn."""
    model.base.template = Template(before=(7, 8, 9), after=model.base.template.after)
    lengths: list[int] = []
    forward = model.base.forward

    def counting(batch: Batch, behind: object = None) -> Tensor:
        lengths.append(batch.tokens.shape[1])
        return forward(batch, behind)

    model.base.forward = counting  # type: ignore[method-assign]
    return lengths


def test_what_all_texts_begin_with_is_read_once_and_scores_are_the_same(model: ToolModel) -> None:
    lengths = begun(model)
    wanted = model.texts(TEXTS).scores
    model.hold()
    together, alone = model.texts(TEXTS).scores, model.texts(TEXTS[2:]).scores

    torch.testing.assert_close(together, wanted, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(alone, wanted[2:], atol=1e-4, rtol=1e-4)
    assert lengths[1] == lengths[2] == lengths[0] - 3
    assert torch.equal(model.texts(TEXTS[2:]).scores, alone), "what is kept is not written into"


def test_a_prompt_that_begins_otherwise_is_read_whole(model: ToolModel) -> None:
    lengths = begun(model)
    wanted = model.read([[7, 8, 10, 11], [7, 8]]).scores
    model.hold()

    torch.testing.assert_close(model.read([[7, 8, 10, 11], [7, 8]]).scores, wanted)
    assert lengths == [4, 4]


def test_hidden_states_are_those_that_are_scored(model: ToolModel) -> None:
    prompts = model.base.prompts(TEXTS)

    assert torch.equal(model.hidden(prompts), model.read(prompts).hidden)


def test_the_usual_length_follows_weights_until_they_are_held() -> None:
    model = random_model()
    own = model.extension.embedding.weight
    before = float(model.usual)
    with torch.no_grad():
        own.mul_(2)
    assert float(model.usual) == pytest.approx(2 * before)

    model.hold()
    assert float(model.usual) == pytest.approx(2 * before)
    with torch.no_grad():
        own.mul_(2)
    assert float(model.usual) == pytest.approx(2 * before), "found once"


def beams(model: ToolModel, text: str, permitted: list[int], k: int) -> list[tuple[int, float]]:
    """What a constrained beam search of Hugging Face finds in one step."""
    (prompt,) = model.base.prompts([text])
    tokens = [WORDS + slot for slot in permitted]
    extension, config = model.extension, model.base.model.config.get_text_config()
    with pytest.MonkeyPatch.context() as patch, extension.scoring("all"), torch.inference_mode():
        # `generate` asks the configuration how many tokens there are.
        patch.setattr(config, "vocab_size", len(extension.embedding.weight) + len(extension.rows))
        made = model.base.model.generate(
            input_ids=torch.tensor([prompt]),
            attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
            prefix_allowed_tokens_fn=lambda *_: tokens,
            num_beams=k,
            num_return_sequences=k,
            max_new_tokens=1,
            do_sample=False,
            length_penalty=0.0,
            renormalize_logits=True,
            output_scores=True,
            return_dict_in_generate=True,
            pad_token_id=0,
            eos_token_id=None,
        )
    slots = (made.sequences[:, -1] - WORDS).tolist()
    return list(zip(slots, made.sequences_scores.exp().tolist(), strict=True))


def test_the_best_k_are_those_of_a_constrained_beam_search(model: ToolModel) -> None:
    permitted = list(range(RESERVED, RESERVED + TOOLS, 2))
    for text in TEXTS:
        (found,) = model.decode([text], permitted, 5, Decoding())
        wanted = beams(model, text, permitted, 5)

        assert [each.slot for each in found] == [slot for slot, _ in wanted]
        for mine, (_, share) in zip(found, wanted, strict=True):
            assert mine.share == pytest.approx(share, abs=1e-4)


def test_no_text_becomes_a_token_of_a_tool_or_of_the_model() -> None:
    base = CausalModel(str(tiny()))
    for text in ("<s>", "<tool_000003>", "<<Weather&&today>>", "</s> <s>"):
        (prompt,) = base.prompts([text])
        own = prompt[len(base.template.before) : -len(base.template.after)]

        assert own
        assert 0 not in own
        assert max(own) < WORDS


def test_a_model_is_as_it_was_when_its_tokens_are_removed() -> None:
    base = CausalModel(str(tiny()))
    before = base.forward(base.batch([[1, 2, 3]]))
    model = random_model()
    model.extension.remove()

    assert torch.equal(model.base.forward(model.base.batch([[1, 2, 3]])), before)


def test_a_long_text_is_cut_and_an_empty_one_is_read() -> None:
    model = random_model()
    prompts = model.base.prompts(["word " * 10_000, ""])

    assert len(prompts[0]) < 120
    assert model.read(prompts).scores.isfinite().all()


@pytest.mark.parametrize(
    ("template", "before", "after"),
    [
        ("P{% for m in messages %}[{{m.role[0]}}:{{m.content}}]{% endfor %}", "[u:", "]"),
        ("{% for m in messages %}<s>({{m.content}}){% endfor %}", "<s>(", ")"),
        ("<s>{% for m in messages %}({{m.content}}){% endfor %}", "<s>(", ")"),
        ("P({{messages[-1].content}})", "P(", ")"),
    ],
    ids=["preamble", "begins each turn", "begins once", "last turn alone"],
)
def test_a_request_stands_as_a_later_turn_of_a_chat(template: str, before: str, after: str) -> None:
    from gretel.nodes.retrieve.language.template import template_of

    tokenizer = CausalModel(str(tiny())).tokenizer
    tokenizer.chat_template = template
    read = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in (before, after)]
    made = template_of(tokenizer)

    assert [list(made.before), list(made.after)] == read
