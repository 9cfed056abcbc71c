"""A class on one machine: its settings, its folders, and what each person's server is given.

``jupyterhub_config.py`` and the tests import it; everything that has to be right for students to be
kept apart is here. It runs as root, so it follows no symbolic link that a student could have made.
"""

import grp
import os
import pwd
import stat
import sys
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path

from lab_tools.errors import InputError, MissingToolError, StoreError, UnknownNameError

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
#: The course's name in the exchange and the gradebook, as in ``instructor/nbgrader_config.py``.
COURSE_ID = "data_over_distance"
#: What only the instructor may read: checks, worked copies, and the history that holds both.
CLOSED = (
    "instructor/source",
    "instructor/checks",
    "instructor/guides",
    "solutions",
    "tests",
    ".git",
)
#: Folders of the course in the exchange, owned by the instructor. Students may put something into
#: ``inbound``, but neither list it nor take anything out; feedback is found by its name alone.
EXCHANGE_MODES = {".": 0o755, "outbound": 0o755, "inbound": 0o3733, "feedback": 0o711}


@dataclass(frozen=True)
class Settings:
    """What the operator decides.

    Parameters
    ----------
    instructor : account that owns the course: gradebook, submissions, grades.
    students : Unix group of those who may log in as students.
    seed : the course's seed, from which each student's variant is drawn.
    graders : accounts that may also open the instructor's server.
    admins : accounts that may stop anybody's server; they cannot open it.
    testbed : testbed of everybody's labs.
    exchange : folder through which labs and submissions go.
    state : the hub's own database and secrets.
    cache : where the virtual-time kernel was built, readable by all.
    project : the folder with ``instructor/``; what students must not read is closed there.
    address, port : where the hub listens; put a web server with TLS before it.
    hub_port, proxy_port : ports of the hub and of its proxy's interface, on loopback.
    environment : more environment variables for everybody's server.
    """

    instructor: str
    students: str
    seed: str
    graders: list[str] = field(default_factory=list)
    admins: list[str] = field(default_factory=list)
    testbed: str = "virtual"
    exchange: str = "/srv/data-over-distance/exchange"
    state: str = "/var/lib/data-over-distance"
    cache: str = "/var/cache/data-over-distance"
    project: str = str(PROJECT)
    address: str = "127.0.0.1"
    port: int = 8000
    hub_port: int = 8081
    proxy_port: int = 8001
    environment: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> "Settings":
        """Read the settings from a TOML file.

        Raises
        ------
        StoreError : the file cannot be read.
        UnknownNameError : it has a setting that there is not.
        InputError : a setting is missing, of the wrong kind, or names an account that is not there.
        """
        try:
            given = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StoreError(
                f"the hub's settings {file} cannot be read ({error}). Copy hub.example.toml there, "
                "or name another file in LAB_HUB_SETTINGS."
            ) from error
        known = {each.name: each for each in fields(cls)}
        if unknown := sorted(set(given) - set(known)):
            raise UnknownNameError("hub setting", unknown[0], sorted(known))
        for name in ("instructor", "students", "seed"):
            if not given.get(name):
                raise InputError(name, given.get(name, ""), "a name that is not empty")
        kinds = {"port": int, "hub_port": int, "proxy_port": int}
        kinds |= {"graders": list, "admins": list, "environment": dict}
        for name, value in given.items():
            kind = kinds.get(name, str)
            if not isinstance(value, kind) or isinstance(value, bool):
                raise InputError(name, value, f"of the kind {kind.__name__}")
        settings = cls(**given)
        settings.check_accounts()
        return settings

    def check_accounts(self) -> None:
        """Check that the accounts and the group exist and do not contradict each other.

        Raises
        ------
        InputError : one of them is missing, or the instructor is in the students' group.
        """
        for name in (self.instructor, *self.graders, *self.admins):
            try:
                pwd.getpwnam(name)
            except KeyError as error:
                raise InputError("account", name, "an account of this machine") from error
        try:
            group = grp.getgrnam(self.students)
        except KeyError as error:
            raise InputError("students", self.students, "a group of this machine") from error
        if self.instructor in group.gr_mem:
            raise InputError("instructor", self.instructor, f"not in the group {self.students}")
        # What the instructor's group may read, the instructor alone may read.
        gid = pwd.getpwnam(self.instructor).pw_gid
        sharing = {each.pw_name for each in pwd.getpwall() if each.pw_gid == gid}
        sharing |= set(grp.getgrgid(gid).gr_mem)
        if others := sorted(sharing - {self.instructor}):
            raise InputError(
                "instructor",
                self.instructor,
                "an account with a group of its own",
                f"It shares its group with {', '.join(others[:3])}: see `man usermod`, --gid.",
            )

    @property
    def course(self) -> Path:
        """The course's folder, in the instructor's home."""
        return home(self.instructor) / "course"


def home(account: str) -> Path:
    """Return an account's home folder."""
    return Path(pwd.getpwnam(account).pw_dir).resolve()


def environment(settings: Settings, account: str) -> dict[str, str]:
    """Return the environment of an account's server."""
    teaches = account == settings.instructor
    config = [HERE / "jupyter" / ("instructor" if teaches else "student")]
    config.append(PROJECT / "scripts" / "jupyter")
    if teaches:
        config.append(Path(settings.project) / "instructor")
    found = {
        "PATH": os.pathsep.join(
            [str(Path(sys.prefix) / "bin"), "/usr/local/bin", "/usr/bin", "/bin"]
        ),
        "JUPYTER_CONFIG_PATH": os.pathsep.join(map(str, config)),
        "LAB_COURSE_SEED": settings.seed,
        "LAB_TESTBED": settings.testbed,
        "LAB_CACHE": settings.cache,
        "LAB_EXCHANGE": settings.exchange,
    }
    if teaches:
        found["LAB_COURSE"] = str(settings.course)
    return {**found, **settings.environment}


def prepare(settings: Settings) -> None:
    """Make the exchange and the hub's own folder, and close what students must not read.

    Raises
    ------
    MissingToolError : not root, who alone may do this and start servers as other accounts.
    """
    if os.geteuid() != 0:
        raise MissingToolError(
            "the hub starts each server as its student's account, and only root may do that. "
            "Start it as the service that instructor/hub/README.md describes."
        )
    own(Path(settings.state), 0, 0, 0o700)
    # As in /tmp: everybody may make a folder, nobody may remove another's.
    own(Path(settings.exchange), 0, 0, 0o1777)
    teacher = pwd.getpwnam(settings.instructor)
    for name, mode in EXCHANGE_MODES.items():
        folder = Path(settings.exchange) / COURSE_ID / name
        own(folder, teacher.pw_uid, teacher.pw_gid, mode)
    for name in CLOSED:
        folder = Path(settings.project) / name
        if folder.is_dir() and not folder.is_symlink():
            own(folder, 0, teacher.pw_gid, 0o750)


def close_home(settings: Settings, account: str) -> None:
    """Close an account's home to others; make the instructor's course folder in theirs.

    Raises
    ------
    InputError : the home is missing or another's.
    """
    who = pwd.getpwnam(account)
    place = home(account)
    if not place.is_dir() or place.stat().st_uid != who.pw_uid:
        raise InputError(
            "home", str(place), f"a folder of {account}'s; make it with mkhomedir_helper"
        )
    place.chmod(0o700)
    if account == settings.instructor:
        own(settings.course, who.pw_uid, who.pw_gid, 0o700)


def own(folder: Path, uid: int, gid: int, mode: int) -> None:
    """Make a folder if there is none, and give it its owner and mode.

    Raises
    ------
    StoreError : something else is at that place, or a symbolic link.
    """
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.fchown(handle, uid, gid)
        os.fchmod(handle, mode)
        if stat.S_IMODE(os.fstat(handle).st_mode) != mode:
            raise StoreError(
                f"{folder} cannot be given the mode {mode:o}; is its file system ours?"
            )
    finally:
        os.close(handle)
