"""Class lists as people really have them."""

import pytest

from lab_tools.course.cells import as_csv
from lab_tools.course.roster import Person, read_roster
from lab_tools.errors import InputError


def roster(tmp_path, text, encoding="utf-8"):
    file = tmp_path / "class.csv"
    file.write_bytes(text.encode(encoding))
    return read_roster(file)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_what_spreadsheets_save_is_read(tmp_path, encoding, separator):
    lines = [
        ["Username", "Full name", "SIS ID", "E-mail"],
        ["ada", "Zoë Łukasiewicz-Öz", "0042", "ada@example.org"],
        ["", "", "", ""],
        ["bob", '"Bob ""B"" Bär"', "0043", ""],
    ]
    people = roster(tmp_path, "\r\n".join(separator.join(each) for each in lines), encoding)
    assert people == [
        Person("ada", "Zoë Łukasiewicz-Öz", "0042", "ada@example.org"),
        Person("bob", 'Bob "B" Bär', "0043"),
    ]


def test_a_canvas_gradebook_is_a_roster(tmp_path):
    # the head of a file as Canvas's GradebookExporter writes it
    text = (
        "Student,ID,SIS User ID,SIS Login ID,Section,Lab 2 (4711)\n"
        "    Points Possible,,,,,22.00\n"
        '"Lovelace, Ada",901,U1,ada,Group A,\n'
    )
    assert roster(tmp_path, text) == [
        Person("ada", "Lovelace, Ada", "U1", "", "Group A", canvas_id="901")
    ]


def test_moodles_names_are_joined(tmp_path):
    text = "First name,Surname,Username,ID number,Email address\nAda,Lovelace,ada,U1,a@b.c\n"
    assert roster(tmp_path, text) == [Person("ada", "Ada Lovelace", "U1", "a@b.c")]


@pytest.mark.parametrize(
    ("text", "encoding", "says"),
    [
        ("name,email\nAda,a@b.c\n", "utf-8", "a column named username"),
        ("username,name\nada,A\nada,B\n", "utf-8", "ada is in twice"),
        ("username,name\n,A\n", "utf-8", "line 2"),
        ("username,name\nada,Zoë\n", "latin-1", "CSV UTF-8"),
        ("username\n", "utf-8", "names somebody"),
        ("", "utf-8", "a column named username"),
        ('username,name\nada,"A\n', "utf-8", "CSV"),
        ("username,id\nada,7\n", "utf-8", "canvas_id or sis_id"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, text, encoding, says):
    with pytest.raises(InputError, match=says):
        roster(tmp_path, text, encoding)


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(InputError, match="a file to read"):
        read_roster(tmp_path / "none.csv")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", " =", "＝", "\n@"])
def test_no_cell_is_a_formula(start):
    text = as_csv([[f"{start}HYPERLINK(1)", 1.5]])
    assert text.lstrip('"')[0] == "'"
    assert text.endswith(",1.5\r\n")


def test_no_cell_hides_a_formula_behind_another_separator():
    # opened with semicolons as separators, the second part would be a cell of its own
    text = as_csv([["Ada;=cmd()", -1.5]])
    assert text == "Ada;'=cmd(),-1.5\r\n"


def test_decimal_commas_go_with_semicolons():
    assert as_csv([["a", 2.5]], separator=";", decimal=",", bom=True) == "\ufeffa;2,5\r\n"
