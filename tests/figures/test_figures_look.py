"""What holds for every figure: one look, units, names; and the parts that make it so."""

import importlib
import pkgutil
import re

import numpy as np
import plotly.graph_objects as go
import pytest

import lab_tools.figures
from lab_tools.errors import DataError, InputError
from lab_tools.figures import look
from lab_tools.figures.checks import given as check
from lab_tools.figures.checks import groups, labels
from lab_tools.figures.draw import band, hover, mark

#: Modules whose figures have test files of their own.
DRAWN_BY_OTHERS = {
    "buffers",
    "claim",
    "congestion",
    "emulation",
    "mathis",
    "pacing",
    "profiles",
    "sites",
    "streams",
    "traces",
}
NAMES_ON_AN_AXIS = {  # rows or columns of names have no unit
    "bimatrix_figure": {"xaxis", "yaxis"},
    "exponents_figure": {"yaxis"},
    "calendar_figure": {"yaxis"},
    "schedule_figure": {"yaxis"},
    "pipeline_figure": {"xaxis"},
    "shares_figure": {"xaxis"},
}


def test_the_gallery_holds_every_figure_function(gallery):
    found = set()
    for module in pkgutil.iter_modules(lab_tools.figures.__path__):
        if module.name not in DRAWN_BY_OTHERS:
            members = vars(importlib.import_module(f"lab_tools.figures.{module.name}"))
            found |= {name for name in members if name.endswith("_figure")}
    assert found == set(gallery)


def test_every_figure_has_the_shared_template_and_a_title(gallery):
    template = look.pio.templates[look.LIGHT]
    for name, figure in gallery.items():
        assert figure.layout.template == template, name
        assert figure.layout.title.text, name
        assert figure.layout.height >= 240, name


def test_every_axis_has_a_name_and_a_unit(gallery):
    for name, figure in gallery.items():
        axes = [key for key in figure.layout.to_plotly_json() if re.match(r"[xy]axis\d*$", key)]
        assert axes, name
        for key in axes:
            shown = figure.layout[key]
            inner = key == "xaxis" and "xaxis2" in axes  # its labels are at the lower panel
            if shown.visible is False or inner or key in NAMES_ON_AN_AXIS.get(name, ()):
                continue
            assert re.search(r"\w.* \(.+\)$", shown.title.text or ""), (name, key)


def test_the_legend_lies_below_the_plot_and_names_what_it_shows(gallery):
    legend = look.pio.templates[look.LIGHT].layout.legend
    assert (legend.yref, legend.y, legend.yanchor) == ("container", 0, "bottom")
    for name, figure in gallery.items():
        assert figure.layout.legend.y is None, name
        if figure.layout.showlegend is not False and len(figure.data) > 1:
            for trace in figure.data:
                assert trace.showlegend is False or trace.name or trace.type == "contour", name


def test_texts_under_the_pointer_come_with_units(gallery):
    for name, figure in gallery.items():
        told = [t.hovertemplate for t in figure.data if getattr(t, "hovertemplate", None)]
        assert told, name
        assert all(re.search(r"[a-zA-Z%]", re.sub(r"%\{[^}]*\}", "", text)) for text in told), name


def test_the_colours_are_okabe_and_ito_without_black():
    assert look.PALETTE[:2] == ("#0072B2", "#D55E00")
    assert len(set(look.PALETTE)) == 7
    assert look.colour(8) == look.colour(1) == look.VERMILLION
    assert look.dash(6) == "solid"


def test_the_dark_template_differs_in_paper_and_ink_alone():
    light = look.pio.templates[look.LIGHT].layout
    dark = look.pio.templates[look.DARK].layout
    assert light.paper_bgcolor != dark.paper_bgcolor
    assert light.font.color != dark.font.color
    assert light.colorway == dark.colorway
    assert light.legend == dark.legend


def test_an_axis_needs_a_name_and_a_unit():
    assert look.axis("RTT", "ms")["title"]["text"] == "RTT (ms)"
    assert look.axis("RTT", "ms", log=True)["type"] == "log"
    with pytest.raises(InputError, match="unit"):
        look.axis("RTT", "")
    with pytest.raises(InputError, match="name"):
        look.axis("", "ms")
    with pytest.raises(InputError, match="height_px"):
        look.layout("title", height_px=10)


def test_faded_colours():
    assert look.faded("#FF0010", 0.5) == "rgba(255,0,16,0.5)"
    with pytest.raises(InputError, match="colour"):
        look.faded("red", 0.5)
    with pytest.raises(InputError, match="opacity"):
        look.faded("#FF0010", 2)


@pytest.mark.parametrize(
    ("scale", "values", "unit"),
    [
        (look.rate_scale, [1e9], "Gbit/s"),
        (look.rate_scale, [999e6, -3e3], "Mbit/s"),
        (look.rate_scale, [0.0], "bit/s"),
        (look.time_scale, [2.0], "s"),
        (look.time_scale, [0.5, np.nan], "ms"),
        (look.size_scale, [5e6], "MB"),
    ],
)
def test_units_fit_the_largest_value(scale, values, unit):
    assert scale(values).unit == unit


def test_a_unit_needs_a_number():
    with pytest.raises(DataError, match="rate_bps"):
        look.rate_scale([np.nan])
    with pytest.raises(DataError, match="time_s"):
        look.time_scale()


def test_parts():
    low, high = band([1, 2], [0, 1], [2, 3], "band", look.BLUE)
    assert (high.fill, low.showlegend) == ("tonexty", False)
    np.testing.assert_array_equal(high.y, [2, 3])
    assert "Share %{y:.4g}" in hover("RTT", "ms", "Share", "")
    figure = mark(go.Figure(), 100.0, "knee")
    assert (figure.layout.annotations[0].x, figure.layout.shapes[0].x1) == (100.0, 100.0)


def test_checks_name_the_argument():
    with pytest.raises(DataError, match="profile is of the kind int"):
        check("profile", 3, str)
    with pytest.raises(DataError, match="names has 1 values"):
        labels("names", ["a"], 2)
    with pytest.raises(DataError, match="runs has 1 groups"):
        groups("runs", [[1.0]], 2)
    with pytest.raises(DataError, match=r"runs\[0\]"):
        groups("runs", [[np.nan]], 1)
