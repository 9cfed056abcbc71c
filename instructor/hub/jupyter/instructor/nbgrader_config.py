"""nbgrader for the instructor's server, beside the course's own ``instructor/nbgrader_config.py``.

On a hub the exchange is a folder that every student can put things into, so what lies there is not
always what ``nbgrader submit`` would have put there.
"""

import datetime
import os
import pwd
import secrets
import shutil
import stat
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import parse_utc
from pods import number_of

c = get_config()  # noqa: F821 - given by nbgrader


class CollectByOwner(ExchangeCollect):
    """Collect submissions: whose folder it is says who handed it in, and only files are copied.

    nbgrader goes by the folder's name, which anybody can choose, and follows symbolic links with
    the instructor's rights.
    """

    def _path_to_record(self, path):
        """Take the student from the folder's owner."""
        record = super()._path_to_record(path)
        owner = owner_of(path, record["username"])
        if record["username"] != owner:
            self.log.error("%s was handed in by %s, and is taken as theirs.", path, owner)
        return {**record, "username": owner}

    def do_copy(self, src, dest, log=None):
        """Copy plain files and folders; one that cannot be read does not stop the others."""

        def not_plain(folder, names):
            kinds = {name: Path(folder, name).lstat().st_mode for name in names}
            odd = {name for name, mode in kinds.items() if not plain(mode)}
            for name in sorted(odd):
                self.log.error("%s in %s is no plain file and is left out.", name, folder)
            return odd

        if not stat.S_ISDIR(os.lstat(src).st_mode):
            self.log.error("%s is no folder and is left out.", src)
            return
        if self.get_size(src) > 1000 * self.coursedir.max_dir_size:
            self.log.error("%s is too large and is left out.", src)
            return
        try:
            # Links are never followed, even one that was put there after the look above.
            shutil.copytree(src, dest, symlinks=True, ignore=not_plain, copy_function=copy_file)
        except OSError as error:
            self.log.error("%s is not complete: %s", src, error)
        self.put_time(Path(src), Path(dest) / "timestamp.txt")
        # Without either of these two, nbgrader releases nobody's feedback.
        secret = Path(dest) / "submission_secret.txt"
        if not secret.is_file():
            secret.write_text(secrets.token_hex(64), encoding="utf-8")

    def put_time(self, src, file):
        """Note when it was handed in, if the student's note is missing, and compare it if not.

        The time at which the system last changed the folder is one that its owner cannot set.
        """
        changed = datetime.datetime.fromtimestamp(src.lstat().st_ctime, datetime.UTC)
        try:
            noted = parse_utc(file.read_text(encoding="utf-8").strip()).replace(tzinfo=datetime.UTC)
        except (OSError, ValueError):
            file.unlink(missing_ok=True)
            file.write_text(changed.strftime("%Y-%m-%d %H:%M:%S.%f UTC"), encoding="utf-8")
            self.log.error("%s does not say when it was handed in: %s.", src, file.read_text())
            return
        if abs(changed - noted) > datetime.timedelta(minutes=1):
            self.log.warning("%s says %s, and was last changed at %s.", src, noted, changed)


def owner_of(path, claimed):
    """Return whose folder it is; in pods there are numbers instead of accounts."""
    number = os.lstat(path).st_uid
    if os.environ.get("LAB_OWNERS") == "numbers":
        return claimed if number == number_of(claimed) else f"number-{number}"
    return pwd.getpwuid(number).pw_name


def plain(mode):
    """Say whether this is a file or a folder, and no link, pipe or device."""
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def copy_file(src, dest):
    """Copy a file's contents, if it still is one."""
    handle = os.open(src, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as source:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(f"{src} is no file")
        with open(dest, "wb") as target:  # noqa: PTH123 - shutil gives text
            shutil.copyfileobj(source, target)


c.ExchangeFactory.collect = CollectByOwner

# Formgrader shows what students wrote and displayed, in a page that may change grades: their
# HTML must not bring scripts along.
c.HTMLExporter.sanitize_html = True
