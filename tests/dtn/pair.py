"""A stand-in pair of hosts: two network namespaces with an sshd each, joined by a veth pair.

Needs root, and works on any Linux with namespaces: on this machine, and in the project's kernel.
Each host has its own /run, so that the two do not share a lock, and its own processes, which all
end with its first one. The management network is one more veth pair from here to each host.
"""

import contextlib
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

import asyncssh

#: The hosts' addresses have the networks of the emulated path's two ends.
DATA = {"h1": "10.0.1.1/24", "h2": "10.0.3.2/24"}
PEER = {"h1": "10.0.3.2", "h2": "10.0.1.1"}
PORT = 2222
SYSCTLS = [
    "net.core.rmem_max",
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_wmem",
    "net.ipv4.tcp_no_metrics_save",
]
CHANGES = ["qdisc", "offloads", "netem", "shaping", "mtu"]
_SSHD = """
Port {port}
ListenAddress {address}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
UseDNS no
"""
_APART = ("--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
# Runs as the first process of the host: the mounts are its own.
_HOST = """
mount -t tmpfs tmpfs /run && mkdir /run/sshd && mount -t sysfs sysfs /sys || exit 1
# root's own shell and start-up files on this machine are no part of the pair
sed 's#^root:.*#root:x:0:0:root:/tmp:/bin/sh#' /etc/passwd >/run/passwd
mount --bind /run/passwd /etc/passwd || exit 1
echo ready
read go
ip link set lo up
exec /usr/sbin/sshd -D -e -f "$1"
"""


def ip(*words, pid=None):
    """Run one ``ip`` command, in a host's network or in ours."""
    enter = ["nsenter", f"--net=/proc/{pid}/ns/net"] if pid else []
    subprocess.run([*enter, "ip", *words], check=True, capture_output=True, text=True)


class StandIn:
    """The pair, for a ``with`` block; nothing of it is left behind."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="lab-standin-"))
        # one network a process, so that tests may run side by side
        self.net = f"198.18.{os.getpid() % 250}"
        self.management = f"{self.net}.0/24"
        self.ssh = {"h1": f"{self.net}.2", "h2": f"{self.net}.6"}
        self.ours = {"h1": f"ms1-{os.getpid()}", "h2": f"ms2-{os.getpid()}"}
        self.hosts = {}
        self.logs = {}

    def __enter__(self):
        try:
            self._build()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def _build(self):
        key = asyncssh.generate_private_key("ssh-ed25519")
        key.write_private_key(str(self.folder / "key"))
        key.write_public_key(str(self.folder / "authorized_keys"))
        host_key = asyncssh.generate_private_key("ssh-ed25519")
        host_key.write_private_key(str(self.folder / "host_key"))
        for name in ("key", "host_key"):
            (self.folder / name).chmod(0o600)
        public = host_key.export_public_key().decode()
        lines = [f"[{address}]:{PORT} {public}" for address in self.ssh.values()]
        (self.folder / "known_hosts").write_text("".join(lines))
        for name in DATA:
            self._start(name)
        one, two = (self.pid(name) for name in DATA)
        ip("link", "add", "data0", "netns", one, "type", "veth", "peer", "data0", "netns", two)
        for name, last in (("h1", 1), ("h2", 5)):
            pid, mine = self.pid(name), self.ours[name]
            ip("link", "add", mine, "type", "veth", "peer", "mgmt0", "netns", pid)
            ip("address", "add", f"{self.net}.{last}/30", "dev", mine)
            ip("link", "set", mine, "up")
            ip("address", "add", f"{self.ssh[name]}/30", "dev", "mgmt0", pid=pid)
            ip("address", "add", DATA[name], "dev", "data0", pid=pid)
            for device in ("mgmt0", "data0"):
                ip("link", "set", device, "up", pid=pid)
            ip("route", "add", PEER[name], "dev", "data0", pid=pid)
            host = self.hosts[name]
            host.stdin.write(b"go\n")
            host.stdin.close()
        for name in DATA:
            self._wait_for_sshd(name)

    def _start(self, name):
        config = self.folder / f"sshd_{name}"
        config.write_text(
            _SSHD.format(port=PORT, address=self.ssh[name], folder=self.folder), encoding="ascii"
        )
        self.logs[name] = (self.folder / f"{name}.log").open("wb")
        self.hosts[name] = subprocess.Popen(
            ["unshare", *_APART, "sh", "-c", _HOST, "host", config],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.logs[name],
        )
        if self.hosts[name].stdout.readline() != b"ready\n":
            raise RuntimeError(self.log(name))

    def _wait_for_sshd(self, name):
        """Connect until sshd greets: the address may have just come up."""
        for _ in range(600):
            with (
                contextlib.suppress(OSError),
                socket.create_connection((self.ssh[name], PORT), timeout=5) as sock,
            ):
                if sock.recv(4) == b"SSH-":
                    return
            if self.hosts[name].poll() is not None:
                break
            # nothing tells when sshd listens: wait for its process, which does not end, 0.05 s
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.hosts[name].wait(0.05)
        raise RuntimeError(f"no sshd on {name}: {self.log(name)}")

    def pid(self, name):
        return str(self.hosts[name].pid)

    def log(self, name):
        return (self.folder / f"{name}.log").read_text()

    def inventory(self, file=None, *, h1="", **changes):
        """Write an inventory of the pair; text in the place of a value changes it."""
        top = {
            "management": self.management,
            "line_rate_bps": "10 Gbit/s",
            "mtu_bytes": 9000,
            "rtt_tolerance": 0.3,
            "silence_s": 3,
        }
        host = {
            "user": "root",
            "port": PORT,
            "key": str(self.folder / "key"),
            "known_hosts": str(self.folder / "known_hosts"),
            "interface": "data0",
            "allowed_sysctls": SYSCTLS,
            "allowed_changes": CHANGES,
        }
        top.update({k: v for k, v in changes.items() if k in top})
        host.update({k: v for k, v in changes.items() if k in host})
        lines = [f"{key} = {_toml(value)}" for key, value in top.items()]
        for name, address in self.ssh.items():
            mine = {"ssh": address, "address": DATA[name], **host}
            mine.update(changes.get("only", {}).get(name, {}))
            lines += [f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in mine.items())]
        file = file or self.folder / "dtn.toml"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return file

    def on(self, name, *command):
        """Run a command on a host, not over SSH, and return what it printed."""
        enter = ["nsenter", "--all", "--target", self._first(name)]
        done = subprocess.run([*enter, *command], check=True, capture_output=True, text=True)
        return done.stdout

    def _first(self, name):
        """Return the host's first process as seen from here."""
        found = subprocess.run(["pgrep", "-P", self.pid(name)], check=True, capture_output=True)
        return found.stdout.decode().split()[0]

    def state(self, name):
        """Return everything that a run may change on a host."""
        script = (
            "cd /proc/sys/net; for f in ipv4/tcp_rmem ipv4/tcp_wmem ipv4/tcp_no_metrics_save"
            " core/rmem_max; do echo $f $(cat $f 2>/dev/null); done; ethtool -k data0;"
            " tc qdisc show dev data0; cat /sys/class/net/data0/mtu;"
            " ip -d link show data0 | grep -o 'gso_max_segs [0-9]*';"
            " ls -d /tmp/lab-dtn-* 2>/dev/null; ls /run/data-over-distance-dtn/journal.json"
            " 2>/dev/null; ps -eo args | grep -c '[t]raffic.py'"
        )
        return self.on(name, "sh", "-c", script + "; true")

    def agent(self, name):
        """Return the process of a host's agent as seen from here; None without one."""
        wanted = Path(f"/proc/{self._first(name)}/ns/pid").readlink()
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                mine = words[0].endswith(b"python3") and any(b"lab-dtn-" in w for w in words[:7])
                if mine and b"-c" in words and (entry / "ns/pid").readlink() == wanted:
                    return int(entry.name)
        return None

    def cut(self, name):
        """Cut the management network to a host, as a pulled cable would."""
        ip("link", "set", self.ours[name], "down")

    def mend(self, name):
        ip("link", "set", self.ours[name], "up")

    def kill_sshd_children(self, name):
        """Kill the sshd processes that serve connections, and leave the one that listens."""
        for pid in self._connections(name):
            os.kill(pid, signal.SIGKILL)

    def hide(self, name, *files):
        """Make programs of a host impossible to run, until `show`."""
        for file in files:
            self.on(name, "mount", "--bind", "/dev/null", file)

    def show(self, name, *files):
        for file in files:
            self.on(name, "umount", file)

    @contextlib.contextmanager
    def account(self, user, name):
        """Let a host know an ordinary account, which has the same key."""
        self.folder.chmod(0o755)
        file = self.folder / "passwd"
        known = self.on(name, "cat", "/etc/passwd")
        file.write_text(f"{known}{user}:x:4242:4242::/tmp:/bin/sh\n")
        self.on(name, "mount", "--bind", str(file), "/etc/passwd")
        try:
            yield
        finally:
            self.on(name, "umount", "/etc/passwd")

    def wait_until_quiet(self, timeout_s=20.0):
        """Wait until no connection is open and no agent runs on either host."""
        for name in DATA:
            for pid in self._connections(name):
                wait_pid(pid, timeout_s)
            self.wait_until_agent_is_gone(name, timeout_s)

    def wait_until_agent_is_gone(self, name, timeout_s=20.0):
        if (pid := self.agent(name)) is not None:
            wait_pid(pid, timeout_s)

    def _connections(self, name):
        first = self._first(name)
        found = subprocess.run(["pgrep", "-P", first], capture_output=True, text=True)
        return [int(word) for word in found.stdout.split()]

    def close(self):
        for host in self.hosts.values():
            host.kill()
            for pipe in (host.stdin, host.stdout):
                pipe.close()
            host.wait()
        for log in self.logs.values():
            log.close()
        for device in self.ours.values():
            with contextlib.suppress(subprocess.CalledProcessError):
                ip("link", "del", device)
        shutil.rmtree(self.folder, ignore_errors=True)


def _toml(value):
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    return str(value)


def wait_pid(pid, timeout_s=30.0):
    """Wait until a process that is not ours has ended."""
    with contextlib.suppress(ProcessLookupError):
        fd = os.pidfd_open(pid)
        try:
            ready, _, _ = select.select([fd], [], [], timeout_s)
        finally:
            os.close(fd)
        assert ready, f"process {pid} still runs after {timeout_s} s"


def main():
    """Hold a pair until standard input ends, and say where its inventory is."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt), StandIn() as pair:
        print(pair.inventory(), flush=True)
        while os.read(0, 4096):
            pass


if __name__ == "__main__":
    main()
