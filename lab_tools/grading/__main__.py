"""``python -m lab_tools.grading CHECKS FOLDER --student NAME``: score one submission."""

import argparse
import json
import sys
from pathlib import Path

from lab_tools.errors import LabError
from lab_tools.grading.judge import judge


def main(arguments: list[str] | None = None) -> int:
    """Print the scores of one submission as JSON."""
    parser = argparse.ArgumentParser(description="Score a submission from its data.")
    parser.add_argument("checks", type=Path, help="the lab's checks, a Python file")
    parser.add_argument("folder", type=Path, help="the submitted folder")
    parser.add_argument("--student", required=True, help="who handed it in")
    options = parser.parse_args(arguments)
    try:
        scores = judge(options.checks, options.folder, options.student)
    except LabError as error:
        print(f"judge: {error}", file=sys.stderr)
        return error.exit_code
    json.dump(scores, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
