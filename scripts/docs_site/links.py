"""Links of pages that live in the repository, made to lead to the right place in the site.

Pages are written for the repository: ``docs/testbeds.md`` links to ``dtn.md``, and a guide to
``../../docs/dtn.md``. In the site both lie elsewhere; files that are no pages are copied.
"""

import posixpath
import re
from collections.abc import Callable
from urllib.parse import urlparse

_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^( *)(```|~~~)")


def rewrite(markdown: str, source: str, page: str, find: Callable[[str], str | None]) -> str:
    """Return the text with its links made relative in the site; MkDocs warns of what stays lost.

    Parameters
    ----------
    markdown : text of a page.
    source : where the text lies in the repository.
    page : where the page lies in the site.
    find : returns the place in the site of a file of the repository; "" for a page that may be
        missing and is, whose link becomes plain text; None for what is unknown.

    >>> text = "[pair](dtn.md#keys), [web](https://example.org), [gone](no.md)"
    >>> rewrite(text, "docs/testbeds.md", "who/runs.md", {"docs/dtn.md": "hosts/dtn.md"}.get)
    '[pair](../hosts/dtn.md#keys), [web](https://example.org), [gone](no.md)'
    """

    def place(match: re.Match[str]) -> str:
        text, target, anchor = match.groups()
        if urlparse(target).scheme:
            return match[0]
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        found = find(wanted)
        if found is None:
            return match[0]
        if found == "":
            return str(text)
        relative = posixpath.relpath(found, posixpath.dirname(page) or ".")
        return f"[{text}]({relative}{anchor or ''})"

    lines, fence = [], ""
    for line in markdown.splitlines():
        mark = _FENCE.match(line)
        if mark and fence in ("", mark[2]):
            fence = "" if fence else mark[2]
        lines.append(line if fence else _LINK.sub(place, line))
    return "\n".join(lines)
