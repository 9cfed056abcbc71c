"""Pictures of figures."""

import shutil
import struct

import plotly.graph_objects as go
import pytest

from lab_tools.errors import DataError, InputError, MissingToolError
from lab_tools.figures import export
from lab_tools.figures.export import write_png, write_svg

browser = pytest.mark.skipif(
    not any(shutil.which(name) for name in ("chromium", "google-chrome", "chrome")),
    reason="no Chromium or Chrome is installed",
)


@browser
def test_a_png_has_the_size_asked_for(gallery, tmp_path):
    path = write_png(gallery["profile_figure"], tmp_path / "profile.png", width_px=600, scale=1.5)
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", head[16:24]) == (900, 660)  # 1.5 times 600 and the figure's 440
    assert path.stat().st_size > 10_000  # more than an empty page


def test_an_svg_is_asked_for_at_its_own_scale(monkeypatch, tmp_path):
    asked = []

    def render(figure, options):
        asked.append(options)
        return b"<svg/>"

    monkeypatch.setattr(export, "_render", render)
    path = write_svg(go.Figure(), tmp_path / "a.svg", height_px=300)
    assert path.read_text() == "<svg/>"
    assert asked == [{"format": "svg", "width": 900, "height": 300, "scale": 1.0}]


def test_a_missing_browser_is_said_with_its_remedy(monkeypatch, tmp_path):
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "no-browser"))
    with pytest.raises(MissingToolError, match="apt-get install chromium"):
        write_png(go.Figure(), tmp_path / "a.png")
    assert not (tmp_path / "a.png").exists()


def test_what_is_no_picture_is_refused(tmp_path):
    with pytest.raises(DataError, match="figure"):
        write_png("figure", tmp_path / "a.png")
    with pytest.raises(InputError, match="file"):
        write_png(go.Figure(), tmp_path / "a.svg")
    with pytest.raises(InputError, match="width_px"):
        write_png(go.Figure(), tmp_path / "a.png", width_px=3)
    with pytest.raises(InputError, match="height_px"):
        write_svg(go.Figure(), tmp_path / "a.svg", height_px=3)
    with pytest.raises(InputError, match="scale"):
        write_png(go.Figure(), tmp_path / "a.png", scale=0)
