"""Docstrings as Markdown, for the reference: the house style has no parser of its own.

A docstring of the project has sections underlined with dashes (``Parameters``, ``Raises``, …) whose
entries are ``name : description``, and examples that run as doctests. Types are in the signature.
"""

import re
from typing import Any

from griffe import Extension, Object

SECTIONS = ("Parameters", "Attributes", "Returns", "Raises", "Yields", "Notes", "See Also")
_ENTRY = re.compile(r"^(\*{0,2}\w[\w., *`…-]*?) : (.*)$")


def to_markdown(text: str) -> str:
    """Return a docstring of the project as Markdown.

    >>> print(to_markdown("Speed.\\n\\nParameters\\n----------\\nrtt_s : in seconds."))
    Speed.
    <BLANKLINE>
    **Parameters**
    <BLANKLINE>
    - `rtt_s`: in seconds.
    """
    blocks: list[str] = []
    section = ""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.splitlines()
        if len(lines) > 1 and lines[0] in SECTIONS and set(lines[1]) == {"-"}:
            section, lines = lines[0], lines[2:]
            blocks += [f"**{section}**", ""]
        if not lines:
            continue
        if lines[0].lstrip().startswith(">>>"):
            section = ""
            blocks += ["```pycon", *lines, "```", ""]
        elif section and _ENTRY.match(lines[0]):
            blocks += [*_entries(lines), ""]
        else:
            blocks += [*map(_quote, lines), ""]
    return "\n".join(blocks).rstrip()


def _quote(line: str) -> str:
    """Turn reStructuredText's doubled backticks into Markdown's code."""
    return line.replace("``", "`")


def _entries(lines: list[str]) -> list[str]:
    """Make a list of the entries of a section; indented lines continue the entry before them."""
    found = []
    for line in lines:
        entry = _ENTRY.match(line)
        if entry:
            names = ", ".join(f"`{name.strip(' `')}`" for name in entry[1].split(","))
            found.append(f"- {names}: {_quote(entry[2])}")
        else:
            found.append(f"    {_quote(line.strip())}")
    return found


class HouseStyle(Extension):
    """Hands every docstring of the project to the reference as Markdown."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Rewrite the docstring of a module, class, function or attribute."""
        if obj.docstring is not None:
            obj.docstring.value = to_markdown(obj.docstring.value)
