"""However a run ends, there is one clear error, what was measured is kept, and nothing is left."""

import pytest

from lab_tools import running
from lab_tools.errors import CancelledError, RunError
from lab_tools.store import Store

pytestmark = pytest.mark.kernel


@pytest.fixture
def live(way):
    if not way.live:
        pytest.skip("nothing runs")


@pytest.fixture
def endless(experiment):
    return experiment.replace(duration_s=600.0)


def at_half_a_second(action):
    """Return an on_sample that does something once a run is well on its way."""

    def on_sample(sample):
        if sample.time_s >= 0.5:
            action()

    return on_sample


def interrupt():
    raise KeyboardInterrupt


def test_a_stopped_run_keeps_what_was_measured(testbed, name, live, endless, tmp_path):
    with pytest.raises(CancelledError, match="it was stopped") as caught:
        testbed.run(endless, at_half_a_second(interrupt))
    partial = caught.value.partial
    assert partial.experiment == endless
    assert partial.flows["time_s"].max() == 0.5
    assert partial.calibration == ()
    store = Store(tmp_path)
    store.put_partial(partial)
    assert store.get(endless, name) is None


def test_a_listener_that_fails_ends_the_run(testbed, live, endless):
    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        testbed.run(endless, at_half_a_second(fail))


def test_a_network_that_breaks_is_told(testbed, way, live, endless):
    if way.wreck is None:
        pytest.skip("there is nothing here to break from outside")
    with pytest.raises(RunError, match=way.wrecked) as caught:
        testbed.run(endless, at_half_a_second(way.wreck))
    assert caught.value.partial.flows["time_s"].max() >= 0.5
    assert caught.value.partial.calibration == ()


def test_the_store_answers_the_second_time(testbed, name, measured, experiment, tmp_path):
    record, _ = measured
    if record.testbed != name:
        pytest.skip("a recording is in a store already")
    store = Store(tmp_path)
    store.put(record)
    samples = []
    again = running.run(experiment, testbed=name, store=store, on_sample=samples.append)
    assert again.flows.equals(record.flows)
    assert samples == []
