"""The table of an ablation: means, sample deviations, and dashes where nothing was measured."""

from gretel.training.masstool.table import caption, markdown, table
from gretel.training.masstool.variants import Group, Row


def row(seed: int, name: str, group: Group = "without", **measures: float) -> Row:
    """A row; every measure that is not given is .5."""
    found = dict.fromkeys(("R@3", "R@5", "nDCG@3", "nDCG@5", "Completeness@3"), 0.5)
    measures = found | {name.replace("_", "@"): value for name, value in measures.items()}
    return Row(key="k", seed=seed, group=group, name=name, at=None, requests=9, measures=measures)


def test_cells_are_mean_and_sample_deviation_in_percent() -> None:
    (cells,) = table(
        [row(seed, "a", R_3=value) for seed, value in ((7, 0.8), (8, 0.9), (9, 1.0))]
    ).values()

    assert cells["R@3"] == "90.00 ± 10.00"
    assert cells["R@5"] == "50.00 ± 0.00"


def test_a_column_without_figures_is_left_out() -> None:
    assert "AUROC" not in table([row(7, "a")])["a"]

    lines = table([row(7, "a"), row(7, "b", AUROC=0.99)])
    assert [cells["AUROC"] for cells in lines.values()] == ["–", "99.00 ± 0.00"]


def test_the_sweeps_are_drawn_and_not_in_the_table() -> None:
    rows = [row(7, "a"), row(7, "λ = 1", "λ"), row(7, "ε = 0", "ε")]

    assert table(rows).keys() == {"a"}


def test_the_page_names_what_it_is_of() -> None:
    rows = [row(seed, name) for seed in (7, 8) for name in ("a", "b")]
    page = markdown(table(rows), caption(rows), {"command": "gretel train"})

    assert "9 requests, which each of the seeds 7, 8 draws anew" in page
    assert "- command: `gretel train`" in page
    body = [line for line in page.splitlines() if line.startswith("| ")]
    assert [line.split(" | ")[0] for line in body] == ["| variant", "| a", "| b"]
    assert {line.count("|") for line in body} == {7}
