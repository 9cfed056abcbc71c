"""Panels in a notebook that is executed without a page to show them on."""

import nbformat
import pytest
from nbclient import NotebookClient

SOURCE = """
from lab_tools.experiment import Experiment, Path
from lab_tools.widgets import explore, terminal, topology
e = Experiment(Path(1e9, 0.02))
explore(e)
topology(e)
terminal(e.path)
"""


@pytest.mark.slow
def test_an_executed_notebook_can_be_read_without_widgets(monkeypatch):
    monkeypatch.setenv("LAB_WIDGETS", "off")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SOURCE)])
    client = NotebookClient(
        notebook, kernel_name="python3", extra_arguments=["--Application.log_level=40"]
    )
    client.execute()
    outputs = notebook.cells[0].outputs
    assert "widgets" not in notebook.metadata
    assert [o.name for o in outputs if o.output_type == "stream"] == ["stdout", "stdout"]
    assert "Model's goodput" in outputs[0].text
    assert "application/vnd.plotly.v1+json" in outputs[1].data
