"""Real accounts for a class, and JupyterHub running for them on loopback."""

import contextlib
import grp
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

PROJECT = Path(__file__).resolve().parents[2]
HUB = PROJECT / "instructor" / "hub"
PREFIX = "labhub-"
GROUP = PREFIX + "students"
START_LIMIT_S = 90.0


@dataclass(frozen=True)
class Account:
    """A real account of this machine."""

    name: str
    password: str
    home: Path

    @property
    def entry(self) -> pwd.struct_passwd:
        return pwd.getpwnam(self.name)

    def run(self, *argv: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a program as this account, in its home, with nothing of our environment."""
        who = self.entry
        return subprocess.run(
            list(map(str, argv)),
            user=who.pw_uid,
            group=who.pw_gid,
            extra_groups=os.getgrouplist(self.name, who.pw_gid),
            cwd=self.home,
            env={"HOME": str(self.home), "USER": self.name, "PATH": os.defpath, **environment},
            capture_output=True,
            text=True,
        )


@contextlib.contextmanager
def public_folder() -> Iterator[Path]:
    """Make a folder that every account can reach, which pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="lab-hub-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def reachable(*places: Path) -> Iterator[None]:
    """Let every account pass through the folders above these, and put their modes back."""
    before: dict[Path, int] = {}
    for place in places:
        for folder in (place, *place.parents):
            mode = folder.stat().st_mode & 0o7777
            if folder.is_dir() and not mode & 0o001:
                before[folder] = mode
                folder.chmod(mode | 0o001)
    try:
        yield
    finally:
        for folder, mode in before.items():
            folder.chmod(mode)


def _remove_accounts() -> None:
    for entry in pwd.getpwall():
        if not entry.pw_name.startswith(PREFIX):
            continue
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.NoSuchProcess):
                if process.uids().real == entry.pw_uid:
                    process.kill()
        subprocess.run(["userdel", "--force", entry.pw_name], check=True, capture_output=True)
    if any(group.gr_name == GROUP for group in grp.getgrall()):
        subprocess.run(["groupdel", GROUP], check=True, capture_output=True)


@contextlib.contextmanager
def accounts(
    folder: Path, teacher: str, grader: str, *students: str
) -> Iterator[dict[str, Account]]:
    """Create accounts with passwords, and remove them whatever happens."""
    _remove_accounts()  # of a run that was killed
    try:
        subprocess.run(["groupadd", GROUP], check=True)
        made = {}
        for short in (teacher, grader, *students):
            account = Account(PREFIX + short, secrets.token_hex(8), folder / "home" / short)
            account.home.parent.mkdir(exist_ok=True)
            groups = ["--groups", GROUP] if short in students else []
            where = ["--create-home", "--home-dir", str(account.home), "--shell", "/bin/bash"]
            subprocess.run(["useradd", *where, *groups, account.name], check=True)
            line = f"{account.name}:{account.password}\n"
            subprocess.run(["chpasswd"], input=line, text=True, check=True)
            made[short] = account
        yield made
    finally:
        _remove_accounts()


def free_ports(number: int) -> list[int]:
    """Return ports of loopback that nobody listens on."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(number)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@contextlib.contextmanager
def running_hub(settings: Path, url: str, log: Path) -> Iterator[None]:
    """Start the hub with its real configuration, and stop it with all its servers."""
    jupyterhub = [sys.executable, "-m", "jupyterhub", "-f", str(HUB / "jupyterhub_config.py")]
    with log.open("wb") as target:
        hub = subprocess.Popen(
            jupyterhub,
            cwd=settings.parent,
            env={**os.environ, "LAB_HUB_SETTINGS": str(settings)},
            stdin=subprocess.DEVNULL,
            stdout=target,
            stderr=target,
            start_new_session=True,
        )
    try:
        _wait_until_it_answers(hub, url + "/hub/health", log)
        yield
    finally:
        hub.send_signal(signal.SIGTERM)
        try:
            hub.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(hub.pid, signal.SIGKILL)
            hub.wait()


def _wait_until_it_answers(hub: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    ends = time.monotonic() + START_LIMIT_S
    while time.monotonic() < ends and hub.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (OSError, urllib.error.URLError):
            with contextlib.suppress(subprocess.TimeoutExpired):
                hub.wait(0.2)
    raise AssertionError(f"the hub did not start:\n{log.read_text()[-4000:]}")
