"""CITATION.cff is valid in the Citation File Format, version 1.2.0."""

import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
#: From the schema of version 1.2.0 (citation-file-format.github.io/1.2.0/schema).
REQUIRED = {"authors", "cff-version", "message", "title"}
KNOWN = REQUIRED | {
    "abstract",
    "commit",
    "contact",
    "date-released",
    "doi",
    "identifiers",
    "keywords",
    "license",
    "license-url",
    "preferred-citation",
    "references",
    "repository",
    "repository-artifact",
    "repository-code",
    "type",
    "url",
    "version",
}


def citation():
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_keys_are_those_of_the_schema():
    assert set(citation()) >= REQUIRED
    assert set(citation()) <= KNOWN


def test_the_values_are_of_their_kinds():
    about = citation()
    assert about["cff-version"] == "1.2.0"
    assert about["type"] in ("software", "dataset")
    assert about["authors"]
    for author in about["authors"]:
        assert "name" in author or {"family-names", "given-names"} & set(author)
    assert len(set(about["keywords"])) == len(about["keywords"])


def test_it_says_what_the_package_says():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = citation()
    assert str(about["version"]) == project["version"]
    assert about["license"] == project["license"].split(" AND ")


def test_the_page_says_the_same():
    page = (ROOT / "docs" / "about" / "citing.md").read_text(encoding="utf-8")
    about = citation()
    assert f"version = {{{about['version']}}}" in page
    assert about["title"] in page
