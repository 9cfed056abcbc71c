"""What a submission may use."""

import dataclasses
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Limits:
    """Most that one submission may use, in its sandbox and before it gets there.

    Parameters
    ----------
    wall_s : wall time of the whole notebook, and again of the checks.
    cell_s : wall time of one cell; then it is interrupted, and the next one runs.
    memory_bytes : all processes together, without the files.
    disk_bytes : files that the notebook writes; they lie in memory too.
    processes : at one time.
    output_bytes : what the cells show, all together; the rest is cut off.
    notebook_bytes : the notebook's file.
    files_bytes : all files of a submission together.
    files : number of files of a submission.
    """

    wall_s: float = 300.0
    cell_s: float = 120.0
    memory_bytes: int = 2 << 30
    disk_bytes: int = 256 << 20
    processes: int = 64
    output_bytes: int = 8 << 20
    notebook_bytes: int = 20 << 20
    files_bytes: int = 128 << 20
    files: int = 5000

    @property
    def answer_bytes(self) -> int:
        """Most that a sandbox may send back: cells, outputs, and the work of the run."""
        return 2 * (self.notebook_bytes + self.output_bytes) + self.disk_bytes

    def to_dict(self) -> dict[str, Any]:
        """Return the limits as plain data."""
        return dataclasses.asdict(self)
