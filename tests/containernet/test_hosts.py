"""The end hosts are containers, with limits and tools of their own. Needs Docker."""

import pytest

from lab_tools.experiment import Path
from lab_tools.testbeds.containernet import ContainernetTestbed

pytestmark = [pytest.mark.kernel, pytest.mark.usefixtures("daemon")]

PATH = Path(rate_bps=10e6, rtt_s=0.02, mtu_bytes=1500)
CGROUPS = "/sys/fs/cgroup"


@pytest.fixture(scope="module")
def net():
    testbed = ContainernetTestbed(cpu_period=100_000, cpu_quota=20_000, mem_limit="64m")
    with testbed.session(PATH) as session:
        yield session


def test_the_end_hosts_are_containers_of_the_image_and_the_routers_are_not(net, docker):
    names = docker("ps", "--format", "{{.Names}}").split()
    assert {name.rsplit("-", 1)[1] for name in names} == {"h1", "h2"}
    assert net["h1"].run("hostname").output == "h1\n"
    assert net["h1"].run("ls /opt/lab/traffic.py").code == 0
    assert net["r1"].run("ls /opt/lab/traffic.py").code != 0


def test_the_quota_is_the_containers_and_throttles_it(net):
    read = f"cat {CGROUPS}/cpu/cpu.cfs_period_us {CGROUPS}/cpu/cpu.cfs_quota_us"
    assert net["h1"].run(read).output.split() == ["100000", "20000"]
    net["h1"].run("timeout 1 sh -c 'while :; do :; done'")
    stat = dict(
        line.split() for line in net["h1"].run(f"cat {CGROUPS}/cpu/cpu.stat").output.splitlines()
    )
    assert int(stat["nr_throttled"]) > 0


def test_a_program_over_the_memory_limit_is_killed_alone(net):
    read = f"cat {CGROUPS}/memory/memory.limit_in_bytes"
    assert net["h1"].run(read).output == f"{64 << 20}\n"
    greedy = "import mmap; place = mmap.mmap(-1, 128 << 20); place.write(b'x' * (128 << 20))"
    assert net["h1"].run(f'python3 -c "{greedy}"').code == 128 + 9
    assert net["h1"].run("echo alive").output == "alive\n"


def test_the_tools_of_the_field_are_in_the_image(net):
    tools = "iperf3 iperf nuttcp ethtool globus-gridftp-server globus-url-copy"
    for name in tools.split():
        assert net["h1"].run(f"command -v {name}").code == 0, name


def test_iperf3_between_containers_fills_the_path(net):
    net["h2"].run("iperf3 --server --daemon --one-off")
    found = net["h1"].tool("iperf3", target="10.0.3.2", duration_s=3)
    assert 5e6 < found["end"]["sum_received"]["bits_per_second"] <= 10e6


def test_gridftp_copies_a_file(net):
    net["h2"].run(
        "head -c 300000 /dev/urandom >/srv/sample; "
        "globus-gridftp-server -aa -anonymous-user nobody -p 2811 -S"
    )
    done = net["h1"].run("globus-url-copy ftp://10.0.3.2:2811/srv/sample file:///tmp/got", 120)
    assert done.code == 0, done.output
    sums = [
        net[host].run(f"md5sum <{file}").output
        for host, file in (("h1", "/tmp/got"), ("h2", "/srv/sample"))
    ]
    assert sums[0] == sums[1]
