#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A disk with a head, over NBD, in memory: requests are served one after another in the order of their arrival, at a rate, and each that does not begin where the
last one ended waits for a seek. Its cache holds the one request that is being written, so that who writes one after another keeps it busy.

Usage: disk.py SOCKET MEBIBYTES BYTES_A_SECOND SEEK_MS; serves one client after another until it is terminated, and prints a line once it listens.
"""

import mmap
import select
import socket
import struct
import sys
import time

MIB = 1 << 20
READ, WRITE, DISCONNECT, FLUSH = range(4)
EXPORT_NAME, ABORT, GO = 1, 2, 7
REPLY, ACK, INFO, UNSUPPORTED = 0x3E889045565A9, 1, 3, (1 << 31) + 1
HAS_FLAGS_AND_FLUSHES = 0b101
REQUEST = struct.Struct(">IHHQQI")


class Head:
    """Where the head is, and when it is free; seconds of a clock that its caller reads."""

    def __init__(self, rate, seek):
        self.rate, self.seek = rate, seek
        self.at = 0
        self.free = 0.0

    def serve(self, offset, length, now):
        """Returns when the head begins with a request that came to the disk at `now`, and when it is done."""
        began = max(self.free, now)
        self.free = began + (0 if offset == self.at else self.seek) + length / self.rate
        self.at = offset + length
        return began, self.free


def take(connection, view):
    while view:
        got = connection.recv_into(view)
        if got == 0:
            raise ConnectionError("the client has gone")
        view = view[got:]


def take_bytes(connection, length):
    data = bytearray(length)
    take(connection, memoryview(data))
    return bytes(data)


def agree(connection, size):
    """The fixed newstyle handshake; whether the client wants the disk then."""
    connection.sendall(b"NBDMAGICIHAVEOPT" + struct.pack(">H", 0b11))
    take_bytes(connection, 4)
    while True:
        _, option, length = struct.unpack(">8sII", take_bytes(connection, 16))
        take_bytes(connection, length)
        export = struct.pack(">QH", size, HAS_FLAGS_AND_FLUSHES)
        if option == EXPORT_NAME:
            connection.sendall(export)
            return True
        if option == GO:
            connection.sendall(struct.pack(">QIIIH", REPLY, option, INFO, 12, 0) + export + struct.pack(">QIII", REPLY, option, ACK, 0))
            return True
        connection.sendall(struct.pack(">QIII", REPLY, option, ACK if option == ABORT else UNSUPPORTED, 0))
        if option == ABORT:
            return False


def serve(connection, memory, head):
    while True:
        waited = not select.select([connection], [], [], 0)[0]
        _, _, kind, handle, offset, length = REQUEST.unpack(take_bytes(connection, REQUEST.size))
        came = time.monotonic() if waited else head.free
        if kind == DISCONNECT:
            return
        part = memory[offset : offset + length] if kind in (READ, WRITE) else b""
        if kind == WRITE:
            take(connection, part)
        if part:
            began, done = head.serve(offset, length, came)
        else:
            began = done = head.free
        time.sleep(max(0, (began if kind == WRITE else done) - time.monotonic()))
        connection.sendall(struct.pack(">IIQ", 0x67446698, 0, handle))
        if kind == READ:
            connection.sendall(part)


def main():
    path, mebibytes, rate, seek_ms = sys.argv[1:]
    size = int(mebibytes) * MIB
    memory = memoryview(mmap.mmap(-1, size))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        print("listening", flush=True)
        while True:
            connection, _ = listening.accept()
            with connection:
                try:
                    if agree(connection, size):
                        serve(connection, memory, Head(float(rate), float(seek_ms) / 1000))
                except ConnectionError:
                    continue


if __name__ == "__main__":
    main()
