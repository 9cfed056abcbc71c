"""Figures as pictures: PNG for pages and reports, SVG for print.

What works: kaleido 1.5 with the Chromium or Chrome that is installed (on Debian the package
``chromium``, found by its name on the PATH). It takes plotly.js from the installed plotly, so
nothing is downloaded and no network is needed; it starts the browser without its sandbox, as root
has to. A picture takes two to three seconds, most of it the start of the browser. The environment
variable ``BROWSER_PATH`` names another browser.
"""

from pathlib import Path

import plotly.graph_objects as go

from lab_tools.arrays import number, whole
from lab_tools.errors import InputError, MissingToolError
from lab_tools.figures.checks import given

WIDTH_PX = 900
HEIGHT_PX = 440
TIMEOUT_S = 60.0


def write_png(
    figure: go.Figure,
    file: str | Path,
    *,
    width_px: int = WIDTH_PX,
    height_px: int | None = None,
    scale: float = 2.0,
) -> Path:
    """Write a figure as a PNG picture.

    Parameters
    ----------
    figure : any figure.
    file : where to, with the ending ``.png``; an existing file is replaced.
    width_px, height_px : size as laid out; None takes the figure's own height.
    scale : pixels of the picture for each pixel of the layout; 2 is sharp on any screen.

    Returns
    -------
    the path of the file.

    Raises
    ------
    MissingToolError : no Chromium or Chrome, or one that does not start.
    DataError : not a figure; InputError : another ending, or a size out of range.

    >>> write_png(go.Figure(), "profile.gif")
    Traceback (most recent call last):
    lab_tools.errors.InputError: file = 'profile.gif' is not allowed: it must be a name ending in
    .png.
    """
    return _write(figure, file, "png", width_px, height_px, scale)


def write_svg(
    figure: go.Figure, file: str | Path, *, width_px: int = WIDTH_PX, height_px: int | None = None
) -> Path:
    """Write a figure as an SVG drawing, which stays sharp at any size.

    Parameters
    ----------
    figure : any figure.
    file : where to, with the ending ``.svg``; an existing file is replaced.
    width_px, height_px : size as laid out; None takes the figure's own height.

    Returns
    -------
    the path of the file.

    Raises
    ------
    MissingToolError, DataError, InputError : as in `write_png`.

    >>> write_svg(go.Figure(), "profile.svg", width_px=0)
    Traceback (most recent call last):
    lab_tools.errors.InputError: width_px = 0 is not allowed: it must be a whole number, at least
    100, at most 10000.
    """
    return _write(figure, file, "svg", width_px, height_px, 1.0)


def _write(
    figure: go.Figure,
    file: str | Path,
    ending: str,
    width_px: int,
    height_px: int | None,
    scale: float,
) -> Path:
    given("figure", figure, go.Figure)
    path = Path(file)
    if path.suffix.lower() != f".{ending}":
        raise InputError("file", str(file), f"a name ending in .{ending}")
    own_height = int(figure.layout.height or HEIGHT_PX)
    options: dict[str, object] = {
        "format": ending,
        "width": whole("width_px", width_px, low=100, high=10_000),
        "height": whole("height_px", height_px or own_height, low=100, high=10_000),
        "scale": number("scale", scale, above=0, high=10),
    }
    path.write_bytes(_render(figure, options))
    return path


def _render(figure: go.Figure, options: dict[str, object]) -> bytes:
    # Imported here because it takes a second, and few need it; it has no annotations.
    import kaleido  # type: ignore[import-untyped]
    from kaleido.errors import (  # type: ignore[import-untyped]
        BrowserClosedError,
        BrowserFailedError,
        ChromeNotFoundError,
    )

    try:
        # MathJax would be fetched from the web; no figure of the project needs it.
        picture = kaleido.calc_fig_sync(
            figure, opts=options, kopts={"mathjax": False, "timeout": TIMEOUT_S}
        )
    except (ChromeNotFoundError, BrowserFailedError, BrowserClosedError) as error:
        raise MissingToolError(
            "A picture needs Chromium or Chrome, and none was found that starts. Install it "
            "(Debian: apt-get install chromium) or set BROWSER_PATH to the program. In a notebook "
            "figures need neither, and their camera button saves a PNG."
        ) from error
    return bytes(picture)
