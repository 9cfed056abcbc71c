"""Bytes between the grader and a job: a length, JSON, and whatever follows it to the end."""

import json
import socket
import struct
import time
from typing import Any

_LENGTH = struct.Struct(">Q")
_PIECE_BYTES = 1 << 16


class BrokenMessageError(Exception):
    """What arrived is no message, or more than is allowed."""


def pack(about: Any, rest: bytes = b"") -> bytes:
    """Return a message of JSON and bytes."""
    text = json.dumps(about).encode()
    return _LENGTH.pack(len(text)) + text + rest


def unpack(message: bytes) -> tuple[Any, bytes]:
    """Return the JSON and the bytes of a message.

    Raises
    ------
    BrokenMessageError : it is none.
    """
    if len(message) < _LENGTH.size:
        raise BrokenMessageError("it ended before it began")
    (length,) = _LENGTH.unpack_from(message)
    text = message[_LENGTH.size : _LENGTH.size + length]
    if len(text) != length:
        raise BrokenMessageError("it ended in the middle")
    try:
        return json.loads(text), message[_LENGTH.size + length :]
    except (ValueError, RecursionError) as error:
        raise BrokenMessageError(f"it is not JSON ({error})") from error


def read_all(connection: socket.socket, most_bytes: int, deadline_s: float | None = None) -> bytes:
    """Return everything until the other side closes.

    Parameters
    ----------
    connection : a stream.
    most_bytes : how much is accepted.
    deadline_s : on the clock `time.monotonic`; None waits for ever.

    Raises
    ------
    BrokenMessageError : more than that arrives.
    TimeoutError : the deadline has passed.
    """
    pieces: list[bytes] = []
    total = 0
    while True:
        if deadline_s is not None:
            connection.settimeout(max(0.001, deadline_s - time.monotonic()))
        piece = connection.recv(_PIECE_BYTES)
        if not piece:
            return b"".join(pieces)
        total += len(piece)
        if total > most_bytes:
            raise BrokenMessageError(f"it is longer than {most_bytes / 1e6:g} MB")
        pieces.append(piece)
