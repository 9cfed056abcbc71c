"""What a hostile student does to a submission before handing it in."""

import json
import os
import shutil
from pathlib import Path

from nbformat import NotebookNode

from lab_tools.record import RunRecord
from lab_tools.store import Store
from tests.course.toy_class import factor, right
from tests.grading.toy import EXPERIMENT, NAME
from tests.test_cli import record_of


def without_tests(_place: Path, notebook: NotebookNode) -> None:
    notebook.cells = [c for c in notebook.cells if not c.metadata.get("nbgrader", {}).get("grade")]


def twice(_place: Path, notebook: NotebookNode) -> None:
    tests = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade")]
    notebook.cells += json.loads(json.dumps(tests))


def more_points(_place: Path, notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        if "points" in cell.metadata.get("nbgrader", {}):
            cell.metadata.nbgrader["points"] = 1000


def easier_lab(place: Path, _notebook: NotebookNode) -> None:
    # with one choice for everybody, the answer without the factor would be right
    file = place / "lab.toml"
    file.unlink()
    file.write_text("[variant]\nfactor = [1]\n[task.scaled]\n[task.runs]\n")
    answers = {"runs": [EXPERIMENT.id], "scaled": 80e6}
    (place / "work" / "answers.json").write_text(json.dumps(answers))


def forge(place: Path, _notebook: NotebookNode) -> None:
    honest = record_of(EXPERIMENT)
    flows = honest.flows.copy()
    flows["bytes_received"] *= 3
    flows["goodput_bps"] *= 3
    forged = RunRecord(**{**vars(honest), "flows": flows})
    Store(place / "work" / "runs").put(forged)


def forge_calibration(place: Path, _notebook: NotebookNode) -> None:
    file = next(place.glob("work/runs/*/*/*/record.json"))
    about = json.loads(file.read_text())
    about["calibration"][0]["achieved"] = "perfect"
    file.write_text(json.dumps(about))


def swap_experiment(place: Path, _notebook: NotebookNode) -> None:
    file = next(place.glob("work/runs/*/*/*/record.json"))
    about = json.loads(file.read_text())
    about["experiment"]["path"]["rate_bps"] = 2e9
    file.write_text(json.dumps(about))


def damage_trace(place: Path, _notebook: NotebookNode) -> None:
    next(place.glob("work/runs/*/*/*/flows.parquet")).write_bytes(b"PAR1" + bytes(1000) + b"PAR1")


def of_somebody_else(place: Path, _notebook: NotebookNode) -> None:
    me = place.parent.name
    other = next(f"other{n}" for n in range(99) if factor(f"other{n}") != factor(me) > 0)
    work = place / "work"
    answers = {"runs": [EXPERIMENT.id], "scaled": right(other)}
    (work / "answers.json").write_text(json.dumps(answers))
    (work / "lab.json").write_text(json.dumps({"lab": NAME, "student": other}))


def links(place: Path, _notebook: NotebookNode) -> None:
    course = place.parents[2]
    (place / "stolen.db").symlink_to(course / "gradebook.db")
    (place / "others").symlink_to(course / "submitted")
    answers = place / "work" / "answers.json"
    answers.unlink()
    answers.symlink_to(course / "submitted" / "neighbour_right" / NAME / "work" / "answers.json")


def link_for_folder(place: Path, _notebook: NotebookNode) -> None:
    shutil.rmtree(place)
    place.symlink_to(place.parents[1] / "neighbour_right" / NAME)


def huge(place: Path, _notebook: NotebookNode) -> None:
    (place / f"{NAME}.ipynb").write_text('{"cells": ["' + "x" * (3 << 20) + '"]}')


def no_json(place: Path, _notebook: NotebookNode) -> None:
    (place / f"{NAME}.ipynb").write_text('{"cells": [')


def deep(place: Path, _notebook: NotebookNode) -> None:
    (place / f"{NAME}.ipynb").write_text("[" * 200_000)


def deep_answers(place: Path, _notebook: NotebookNode) -> None:
    (place / "work" / "answers.json").write_text("[" * 200_000)


def other_shapes(place: Path, _notebook: NotebookNode) -> None:
    cells = [3, None, {"cell_type": [], "source": {"a": 1}, "metadata": 7}]
    (place / f"{NAME}.ipynb").write_text(json.dumps({"cells": cells}))


def odd_cells(place: Path, _notebook: NotebookNode) -> None:
    odd = {"cell_type": ["code"], "source": {"a": 1}, "metadata": {"nbgrader": {"grade_id": []}}}
    (place / f"{NAME}.ipynb").write_text(json.dumps({"cells": [odd, {}, odd]}))


def script_in_the_words(_place: Path, notebook: NotebookNode) -> None:
    notebook.cells[-1].source = (
        "My answer <script>steal()</script> [x](javascript:steal())\n"
        "[y][z] <javascript:steal()>\n\n[z]: javascript:steal()\n"
    )


def pipe(place: Path, _notebook: NotebookNode) -> None:
    os.mkfifo(place / "work" / "wait_for_ever.json")


def many_files(place: Path, _notebook: NotebookNode) -> None:
    for number in range(300):
        (place / f"{number:03}.txt").write_text("a")
