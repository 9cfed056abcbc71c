"""The warm process: everything is imported once, and every job is a fork of it.

``python -m lab_tools.course.box.zygote FD MODULE ...`` under bubblewrap. It reads nothing that a
student wrote: a job's data goes to the fork alone, through a socket that is handed over here.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
import time

from lab_tools.course.box import keeper

#: What every job needs.
_OURS = (
    "lab_tools.course.box.cells",
    "lab_tools.course.box.jobs",
    "pyarrow.dataset",
    "pyarrow.parquet",
)
_MESSAGE_BYTES = 1 << 16


def main() -> None:
    """Import the modules, say that this is done, and fork for every message until the end."""
    control = socket.socket(fileno=int(sys.argv[1]))
    for name in _OURS:
        importlib.import_module(name)
    for name in sys.argv[2:]:
        # a module that is missing here is missing in the notebook: the student sees the error
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    warm_up()
    gc.collect()
    gc.freeze()  # the collector writes into objects, and a page written to is a page copied
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control.send(f"ready {time.process_time()}".encode())
    while True:
        message, handles, _flags, _address = socket.recv_fds(control, _MESSAGE_BYTES, 2)
        if not message:
            return
        data, status = handles
        if os.fork() == 0:
            control.close()
            keeper.keep(json.loads(message), data, status)
        os.close(data)
        os.close(status)


def warm_up() -> None:
    """Use once what is loaded only when it is first used."""
    import io

    import pandas as pd
    import plotly.graph_objects as go
    import plotly.io as pio

    table = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    table.groupby("b").agg(a=("a", "sum")).astype({"a": "float64"})
    figure = go.Figure(go.Scatter(x=[1.0], y=[1.0], name="a"))
    figure.add_annotation(text="a").update_layout(title="a", xaxis={"type": "log"})
    figure.to_json()
    # showing the first figure loads several hundred modules
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        pio.show(figure)
    json.dump({}, io.StringIO())


if __name__ == "__main__":
    main()
