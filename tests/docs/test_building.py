"""How pages are made: links, docstrings, the menu, the conditions in pages."""

import doctest
import importlib

import pytest

MODULES = ("docstrings", "gallery", "hooks", "links", "reference")
HOUSE = """Goodput of a flow.

With ``k`` the constant,

    B = k MSS / (RTT sqrt(p))

Parameters
----------
rtt_s : round-trip time in seconds.
mss_bytes, loss : what a segment holds; the share that is lost,
    between 0 and 1.

Raises
------
InputError : a value is not positive.

Source: Mathis and others.

>>> goodput(0.1, 1448, 0.01)
141865.0
"""


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_modules_are_right(tools, name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_a_docstring_of_the_house_becomes_markdown(tools):
    from docstrings import to_markdown

    lines = to_markdown(HOUSE).splitlines()
    assert "With `k` the constant," in lines
    assert "    B = k MSS / (RTT sqrt(p))" in lines
    assert "- `rtt_s`: round-trip time in seconds." in lines
    at = lines.index("- `mss_bytes`, `loss`: what a segment holds; the share that is lost,")
    assert lines[at + 1] == "    between 0 and 1."
    assert lines.index("**Raises**") > at
    assert "Source: Mathis and others." in lines
    start = lines.index("```pycon")
    assert lines[start + 1 : start + 4] == [">>> goodput(0.1, 1448, 0.01)", "141865.0", "```"]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("[a](dtn.md)", "[a](../hosts/dtn.md)"),
        ("[a](dtn.md#keys)", "[a](../hosts/dtn.md#keys)"),
        ("[a](#here)", "[a](#here)"),
        ("[a](https://example.org/dtn.md)", "[a](https://example.org/dtn.md)"),
        ("[a](gone.md)", "[a](gone.md)"),
        ("```\n[a](dtn.md)\n```", "```\n[a](dtn.md)\n```"),
        ("[a](../README.md)", "[a](../index.md)"),
        ("see [a](later.md).", "see a."),
    ],
)
def test_links_lead_to_the_place_in_the_site(tools, text, made):
    from links import rewrite

    places = {"docs/dtn.md": "hosts/dtn.md", "README.md": "index.md", "docs/later.md": ""}
    assert rewrite(text, "docs/testbeds.md", "who/runs.md", places.get) == made


def test_pages_that_may_be_missing_are_marked_in_the_menu(tools):
    from hooks import optional

    assert optional(["a.md", "?b.md", {"More": ["c.md", "?d.md", {"Deep": ["?e.md"]}]}]) == {
        "b.md",
        "d.md",
        "e.md",
    }


def test_the_menu_takes_the_pages_that_are_there(tools, tmp_path):
    from hooks import menu

    (tmp_path / "why").mkdir()
    for name in ("why/2.md", "why/1.md", "there.md"):
        (tmp_path / name).touch()
    asked = ["must.md", {"More": ["?gone.md", "?there.md", "?made.md", "why/*"]}, {"A": "a.md"}]
    assert menu(asked, {"made.md"}, tmp_path) == [
        "must.md",
        {"More": ["there.md", "made.md", "why/1.md", "why/2.md"]},
        {"A": "a.md"},
    ]


def test_a_figure_that_is_no_more_is_named_with_those_that_are(tools):
    import gallery

    from lab_tools.errors import DataError

    entry = gallery.Entry("02_mathis_science_dmz", "Two laws", "", "")
    with pytest.raises(DataError, match=r"'Two laws' is no figure .* One law for every path"):
        gallery.find(entry)


def test_a_lab_without_a_notebook_is_planned(tools):
    from hooks import status

    assert status("00_start_here") == "ready"
    assert status("99_nothing") == "planned"
