"""These modules import Mininet, which the project's own environment has not."""

collect_ignore_glob = ["*.py"]
