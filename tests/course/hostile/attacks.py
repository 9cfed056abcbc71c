"""Hostile submissions of the toy lab, each named for what it tries.

An `Attack` is code that the notebook runs first, or a change to what is handed in, and what must
come of it: the score, the status, and words that the instructor must be told. Who tries to gain
points has a wrong answer in the data (1 of 4 points); who only destroys has the right one (4).
"""

from dataclasses import dataclass

from tests.course.hostile import changes
from tests.course.toy_class import Change

#: What an attack prints when it has got through; nothing else prints it.
LOOT = "GOT" + "THROUGH"
_LOOT = "'GOT' + 'THROUGH'"


@dataclass(frozen=True)
class Attack:
    """What somebody tries, and what must come of it."""

    code: str = ""
    change: Change | None = None
    wrong: bool = False
    score: float | None = None
    status: str = "graded"
    or_status: str = ""
    told: str = ""
    shows: str = ""

    @property
    def expected(self) -> float:
        """The fair score."""
        if self.score is not None:
            return self.score
        return 1.0 if self.wrong else 4.0


def _reads(pattern: str) -> str:
    return (
        "import glob\n"
        f"for name in glob.glob({pattern!r}, recursive=True):\n"
        f"    print({_LOOT}, name, open(name, 'rb').read()[:200])\n"
        "else:\n    print('nothing there')"
    )


ATTACKS = {
    "fork_bomb": Attack(
        "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
        # a slow machine interrupts it before there are too many
        status="crashed",
    ),
    "too_many_processes": Attack(
        "import subprocess, time\n"
        "started = [subprocess.Popen(['sleep', '100']) for _ in range(20)]\ntime.sleep(100)",
        status="crashed",
        told="too many processes",
    ),
    "sleep": Attack("import time\ntime.sleep(10**6)", told="interrupted"),
    "ignored_sigint": Attack(
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass",
        status="crashed",
        told="heeds no interrupt",
    ),
    "output_of_500_MB": Attack(
        "for _ in range(500):\n    print('x' * 10**6)", told="showed more than is kept"
    ),
    "output_past_python": Attack(
        "!head -c 500000000 /dev/zero | tr '\\0' x", told="showed more than is kept"
    ),
    "full_disk": Attack(
        "with open('fill', 'wb') as file:\n    while True:\n        file.write(bytes(1 << 20))",
        shows="No space left on device",
    ),
    "full_disk_elsewhere": Attack(
        "import os\n"
        "for place in ('/', '/dev', '/dev/shm', '/usr', '/etc', '/proc', '/recordings'):\n"
        "    try:\n"
        "        with open(place + '/fill', 'wb') as file:\n"
        "            while True:\n                file.write(bytes(1 << 20))\n"
        "    except OSError as error:\n        print(place, error.strerror)",
        shows="/dev/shm No space left on device",
    ),
    "full_memory": Attack(
        # with no memory left, Python may or may not be able to say so
        "kept = []\nwhile True:\n    kept.append(b'x' * (1 << 24))",
        or_status="crashed",
    ),
    "full_memory_in_many_processes": Attack(
        "import os, time\n"
        "for _ in range(6):\n"
        "    if os.fork() == 0:\n"
        "        kept = [b'x' * (1 << 24) for _ in range(20)]\n"
        "        time.sleep(100)\n"
        "time.sleep(100)",
        status="crashed",
        told="too much memory",
    ),
    "memory_without_owner": Attack(
        f"import os\nos.memfd_create('a')\nprint({_LOOT})", shows="PermissionError"
    ),
    "kill_own_kernel": Attack(
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
        status="crashed",
        told="ended its own Python",
    ),
    "exit_own_kernel": Attack(
        "import os\nos._exit(0)", status="crashed", told="ended its own Python"
    ),
    "kill_everything": Attack(
        "import os, signal\nos.kill(1, signal.SIGKILL)\nos.killpg(0, signal.SIGKILL)",
        status="crashed",
    ),
    "orphan_daemon": Attack(
        "import subprocess\n"
        "subprocess.Popen(['setsid', 'sleep', '987654'], start_new_session=True)\nprint('left')",
        shows="left",
    ),
    "read_the_gradebook": Attack(_reads("{course}/**/gradebook.db"), shows="nothing there"),
    "read_other_submissions": Attack(_reads("{course}/submitted/**/*"), shows="nothing there"),
    "read_the_checks": Attack(_reads("{project}/instructor/**/*"), shows="nothing there"),
    "read_the_results": Attack(_reads("{course}/**/*"), shows="nothing there"),
    "find_it_anywhere": Attack(
        "import os\n"
        "names = {'grades.json', '.secret.json', '90_toy.py', '90_toy.toml'}\n"
        "for top, folders, files in os.walk('/'):\n"
        "    if top in ('/proc', '/sys', '/usr') or top.endswith(('-packages', 'python3.11')):\n"
        "        folders.clear()\n"
        f"    if found := names & set(files):\n        print({_LOOT}, top, found)\n"
        "print('searched')",
        shows="searched",
    ),
    "change_a_grade_by_SQL": Attack(
        "import sqlite3\n"
        "book = sqlite3.connect('{course}/gradebook.db')\n"
        "book.execute('update grade set manual_score = 1000')\nbook.commit()",
        wrong=True,
        shows="unable to open database file",
    ),
    "network_to_loopback": Attack(
        "import socket\n"
        "socket.create_connection(('127.0.0.1', {port}), timeout=1).sendall(b'hello')\n"
        f"print({_LOOT})",
        shows="Connection refused",
    ),
    "network_to_the_outside": Attack(
        f"import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=1)\nprint({_LOOT})",
        shows="Network is unreachable",
    ),
    "abstract_socket": Attack(
        "import socket\n"
        "link = socket.socket(socket.AF_UNIX)\nlink.connect('\\0{abstract}')\n"
        f"print({_LOOT})",
        shows="Connection refused",
    ),
    "new_namespace": Attack(
        "import ctypes, os\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "made = [libc.unshare(0x10000000), libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)]\n"
        "print(made, os.strerror(ctypes.get_errno()))",
        shows="[-1, -1] Operation not permitted",
    ),
    "read_the_supervisor": Attack(
        f"open('/proc/1/mem', 'rb').read(1)\nprint({_LOOT})", shows="PermissionError"
    ),
    "write_to_every_handle": Attack(
        "import os\n"
        "for handle in range(64):\n"
        "    try:\n        os.write(handle, b'\\xff garbage\\n')\n"
        "    except OSError:\n        pass",
        wrong=True,
        status="crashed",
    ),
    "delete_test_cells": Attack(change=changes.without_tests, wrong=True),
    "duplicate_test_cells": Attack(change=changes.twice, wrong=True),
    "object_equal_to_everything": Attack(
        "class Same(float):\n"
        "    def __eq__(self, other):\n        return True\n"
        "    __lt__ = __le__ = __gt__ = __ge__ = __ne__ = __eq__\n"
        "    def __sub__(self, other):\n        return 0\n"
        "    __abs__ = __rsub__ = __mul__ = lambda *_: 0\n"
        "    def __hash__(self):\n        return 0\n"
        "from lab_tools.grading import Lab\n"
        "Lab('90_toy').answer('scaled', Same(1))",
        wrong=True,
    ),
    "input_transformer_hook": Attack(
        "def full_marks(lines):\n    return ['3.0\\n']\n"
        "get_ipython().input_transformers_post.append(full_marks)",
        wrong=True,
    ),
    "patched_lab_tools": Attack(
        "import lab_tools.grading.judge as judge, lab_tools.course.box.judging as job\n"
        "full = lambda *_, **__: {'scaled': {'score': 3.0, 'points': 3.0, 'message': ''}}\n"
        "judge.judge = job.judge = full\n"
        "judge.Submission.number = lambda *_: 0.0\n"
        "open(judge.__file__, 'a').write('# mine')",
        wrong=True,
        shows="[Errno ",
    ),
    "patched_numpy": Attack(
        "import builtins, numpy as np, pandas as pd\n"
        "np.isclose = np.allclose = lambda *_, **__: True\n"
        "builtins.abs = lambda *_: 0\n"
        "pd.DataFrame.__eq__ = lambda *_: True\n"
        "open(np.__file__, 'a').write('# mine')",
        wrong=True,
        shows="[Errno ",
    ),
    "forged_record": Attack(
        change=changes.forge, score=0.0, status="suspect", told="run again, gives another"
    ),
    "forged_calibration": Attack(change=changes.forge_calibration, score=0.0, status="suspect"),
    "record_of_another_experiment": Attack(
        change=changes.swap_experiment, score=0.0, status="suspect", told="not the one of its name"
    ),
    "damaged_trace": Attack(
        change=changes.damage_trace, score=0.0, status="suspect", told="cannot be read"
    ),
    "someone_elses_variant": Attack(
        change=changes.of_somebody_else,
        score=1.0,
        status="suspect",
        told="The data says that other",
    ),
    "easier_lab_file": Attack(change=changes.easier_lab, score=2.5),
    "symlink_out_of_the_folder": Attack(change=changes.links, score=0.0, told="link to elsewhere"),
    "symlink_for_the_folder": Attack(
        change=changes.link_for_folder, score=0.0, status="unreadable", told="cannot be read"
    ),
    "huge_notebook": Attack(change=changes.huge, status="unreadable", told="more than is accepted"),
    "invalid_JSON": Attack(change=changes.no_json, status="unreadable", told="not JSON"),
    "deep_JSON": Attack(change=changes.deep, status="unreadable", told="not JSON"),
    "deep_JSON_in_the_answers": Attack(change=changes.deep_answers, score=0.0, told="left out"),
    "no_cells": Attack(change=changes.other_shapes, status="unreadable", told="no cells"),
    "odd_cells": Attack(change=changes.odd_cells),
    "pipe_that_nobody_writes": Attack(change=changes.pipe, told="it is no file"),
    "many_files": Attack(change=changes.many_files, told="first 200 files"),
    "stderr_noise": Attack(
        "import sys, os\nprint('noise', file=sys.stderr)\nos.write(2, b'noise')"
    ),
    "changed_points": Attack(change=changes.more_points, wrong=True),
    "script_for_the_instructor": Attack(
        "from IPython.display import HTML, Javascript, Markdown, display\n"
        "display(HTML('<script>steal()</script>'), Javascript('steal()'))\n"
        "display(Markdown('<img src=x onerror=steal()>'))\n"
        "display({'image/png': 'x\" onerror=\"steal()'}, raw=True)",
        change=changes.script_in_the_words,
        shows="IPython.core.display",
    ),
}
