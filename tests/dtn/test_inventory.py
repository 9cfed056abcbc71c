"""The inventory: each missing or contradictory field is named."""

from pathlib import Path

import pytest

from lab_tools.errors import InputError
from lab_tools.testbeds.dtn.inventory import SYSCTLS, default_file, load

EXAMPLE = Path(__file__).resolve().parents[2] / "instructor" / "dtn-inventory.example.toml"
H1 = """ssh = "192.0.2.11"
user = "lab"
interface = "eth1"
address = "10.0.0.1/24"
"""
GOOD = f"""management = "192.0.2.0/24"
line_rate_bps = "10 Gbit/s"
[h1]
{H1}
[h2]
{H1.replace(".11", ".12").replace("0.1/24", "0.2/24")}"""


def read(tmp_path, text):
    file = tmp_path / "dtn.toml"
    file.write_text(text, encoding="utf-8")
    return load(file)


def test_the_example_is_an_inventory():
    pair = load(EXAMPLE)
    assert pair.line_rate_bps == 10e9
    assert pair.silence_s == 15
    assert set(pair.h1.allowed_sysctls) == set(SYSCTLS)
    assert pair.may("netem")
    assert not pair.may("mtu")


def test_what_is_not_given_may_not_be_changed(tmp_path):
    pair = read(tmp_path, GOOD)
    assert pair.h1.allowed_sysctls == ()
    assert not pair.may("shaping")
    assert pair.h2.data_ip == "10.0.0.2"


def test_the_file_is_found_by_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("LAB_INVENTORY", "~/pair.toml")
    assert default_file() == Path.home() / "pair.toml"
    monkeypatch.delenv("LAB_INVENTORY")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert default_file() == tmp_path / "data-over-distance" / "dtn.toml"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('management = "192.0.2.0/24"', "", "management = None"),
        ('line_rate_bps = "10 Gbit/s"', "", "line_rate_bps = None"),
        ('"10 Gbit/s"', '"10 apples"', "line_rate_bps = '10 apples'"),
        ('"10 Gbit/s"', '"100 Gbit/s"', "line_rate_bps = 100000000000"),
        ('"192.0.2.0/24"', '"192.0.2.5/24"', "management = '192.0.2.5/24'"),
        ('"192.0.2.0/24"', '"10.0.0.0/8"', "outside the management network 10.0.0.0/8"),
        ('"192.0.2.0/24"', '"198.51.100.0/24"', "h1.ssh = '192.0.2.11'"),
        ('user = "lab"', "", "h1: user|h1.user|user = None"),
        ('user = "lab"', "user = 7", "h1.user = 7"),
        ('"eth1"', '"a/b"', "h1.interface = 'a/b'"),
        ('"eth1"', '"eth1"\nspeed = 3', "speed"),
        ('"10.0.0.1/24"', '"10.0.0.1"', "h1.address = '10.0.0.1'"),
        ('"10.0.0.1/24"', '"10.0.0.2/24"', "another address than h1's"),
        ('"192.0.2.12"', '"192.0.2.11"', "another host than h1"),
        ('"192.0.2.12"', '"-oProxyCommand=x"', "h2.ssh"),
        ('user = "lab"', 'user = "lab"\nport = 70000', "h1.port = 70000"),
        ('user = "lab"', 'user = "lab"\nkey = "/no/such"', "h1.key = '/no/such'"),
        ('user = "lab"', 'user = "lab"\nallowed_sysctls = ["kernel.panic"]', "kernel.panic"),
        ('user = "lab"', 'user = "lab"\nallowed_changes = "netem"', "a list"),
        ('user = "lab"', 'user = "lab"\ncpus = [-1]', "h1.cpus = -1"),
        ("[h2]", "mtu_bytes = 100\n[h2]", "mtu_bytes"),
        ("[h1]", "[h1", "a TOML file"),
    ],
)
def test_what_is_wrong_is_named_with_the_file(tmp_path, old, new, said):
    assert old in GOOD
    with pytest.raises(InputError, match=said) as caught:
        read(tmp_path, GOOD.replace(old, new, 1))
    assert "dtn.toml" in str(caught.value)
