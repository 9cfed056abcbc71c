"""Open an SSH connection to a host, and say in plain words why it could not be opened."""

import shlex
from pathlib import Path

import asyncssh

from lab_tools.testbeds.dtn.inventory import HostEntry
from lab_tools.testbeds.dtn.problems import PairError

CONNECT_S = 10.0


async def connect(name: str, entry: HostEntry, silence_s: float) -> asyncssh.SSHClientConnection:
    """Connect to a host with a key, if its host key is known.

    After ``silence_s`` without an answer the connection counts as cut.

    Raises
    ------
    PairError : names the host, the reason and the remedy.
    """
    where = f"{name} ({entry.user}@{entry.ssh}, port {entry.port})"
    known = _known_hosts(entry)
    try:
        return await asyncssh.connect(
            entry.ssh,
            entry.port,
            username=entry.user,
            client_keys=[str(Path(entry.key).expanduser())] if entry.key else (),
            known_hosts=known,
            preferred_auth="publickey",
            connect_timeout=CONNECT_S,
            login_timeout=3 * CONNECT_S,
            keepalive_interval=silence_s / 4,
            keepalive_count_max=3,
        )
    except asyncssh.HostKeyNotVerifiable as error:
        raise _host_key(where, entry, known) from error
    except asyncssh.PermissionDenied as error:
        raise PairError(
            f"{where} accepts none of your keys",
            "send your public key to whoever runs the hosts, or name the right private key in "
            "the inventory",
        ) from error
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
        raise PairError(
            f"the key {entry.key} for {name} cannot be read: {error}",
            "give a private key; load one with a passphrase into ssh-agent and leave out `key`",
        ) from error
    except OSError as error:
        raise PairError(
            f"{where} does not answer: {error or 'no answer in time'}",
            f"try: ssh -p {entry.port} {shlex.quote(entry.user + '@' + entry.ssh)} true",
        ) from error
    except asyncssh.Error as error:
        raise PairError(
            f"{where} does not speak SSH with us: {error.reason or error}",
            f"try: ssh -v -p {entry.port} {shlex.quote(entry.user + '@' + entry.ssh)} true",
        ) from error


def _known_hosts(entry: HostEntry) -> asyncssh.SSHKnownHosts:
    file = Path(entry.known_hosts).expanduser()
    try:
        return asyncssh.import_known_hosts(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        # no host is known yet, so none is trusted
        return asyncssh.import_known_hosts("")
    except (OSError, ValueError) as error:
        raise PairError(
            f"the known hosts in {file} cannot be read: {error}", "put the file right"
        ) from error


def _host_key(where: str, entry: HostEntry, known: asyncssh.SSHKnownHosts) -> PairError:
    """Say whether the host key is unknown or another one than before."""
    file = Path(entry.known_hosts).expanduser()
    place = entry.ssh if entry.port == 22 else f"[{entry.ssh}]:{entry.port}"
    add = f"ssh-keyscan -p {entry.port} {entry.ssh} >> {file}"
    check = "compare the fingerprint with the operator's (ssh-keygen -lf) before you trust it"
    if any(known.match(entry.ssh, "", entry.port)[:3]):
        return PairError(
            f"{where} shows another host key than the one in {file}: somebody may sit between",
            f"ask whoever runs the hosts; only if the key was changed on purpose, run: "
            f"ssh-keygen -f {file} -R '{place}' && {add}; then {check}",
        )
    return PairError(f"the host key of {where} is not in {file}", f"run: {add}; then {check}")
