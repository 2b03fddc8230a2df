"""Keeps a few child processes running, passes on what they print, and ends them all, whatever happens to
itself.

Which processes these are is the caller's business.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TextIO

from infra.embedded import dies_with_parent

STEADY_SECONDS = 5.0  # who lives that long has started properly
FALSE_STARTS = 3  # one more in a row ends everything
LONGEST_PAUSE = 15.0
LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Process:
    """A command to keep running under a name."""

    name: str
    command: Sequence[str]


class Keepable(ABC):
    """Something that can die and be started again: a child, or an embedded server."""

    name: str

    @abstractmethod
    def alive(self) -> bool: ...

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def stop(self, patience: float) -> None: ...


@dataclass(slots=True)
class Child(Keepable):
    """A child process in a session of its own; its lines are printed with its name in front.

    `ended` is told the number of a process that is no more, before the next one starts.
    """

    process: Process
    environ: Mapping[str, str]
    out: TextIO
    width: int = 0
    ended: Callable[[int], None] = lambda pid: None
    name: str = field(init=False)
    _running: subprocess.Popen[str] | None = None
    _reader: threading.Thread | None = None

    def __post_init__(self) -> None:
        self.name = self.process.name

    def alive(self) -> bool:
        return self._running is not None and self._running.poll() is None

    @property
    def pid(self) -> int | None:
        """Of the process, which leads its own group; None before the first start."""
        return None if self._running is None else self._running.pid

    def start(self) -> None:
        self._end_group()
        self._running = subprocess.Popen(
            list(self.process.command),
            env=dict(self.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C reaches us alone; we decide who ends when
            preexec_fn=dies_with_parent(signal.SIGTERM),
        )
        self._reader = threading.Thread(target=self._pass_on, args=(self._running,), daemon=True)
        self._reader.start()

    def ask_to_end(self) -> None:
        """Send SIGTERM and return."""
        if self._running is not None and self.alive():
            self._running.terminate()

    def stop(self, patience: float) -> None:
        """End it, and whatever it left behind in its session, by force after `patience` seconds."""
        running = self._running
        if running is None:
            return
        self.ask_to_end()
        with suppress(subprocess.TimeoutExpired):
            running.wait(max(0.0, patience))
        self._end_group()
        running.wait()
        if self._reader is not None:
            self._reader.join(timeout=2)

    def _end_group(self) -> None:
        if self._running is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._running.pid, signal.SIGKILL)
            self.ended(self._running.pid)

    def _pass_on(self, running: subprocess.Popen[str]) -> None:
        assert running.stdout is not None
        with suppress(ValueError, OSError), running.stdout:
            for line in running.stdout:
                say(self.out, self.name, line.rstrip("\n"), self.width)


def say(out: TextIO, name: str, line: str, width: int = 0) -> None:
    """Print one line of `name`; a single write, so that lines of several processes do not mix."""
    out.write(f"{name:<{width}} | {line}\n")
    out.flush()


@dataclass(slots=True)
class _Record:
    """What the supervisor remembers of one it keeps."""

    started: float = 0.0
    false_starts: int = 0
    resume: float | None = None


class Supervisor:
    """Starts `kept` in their order, starts again who ends, stops all in the reverse order.

    The first of `kept` are what the others need: these are all asked to end before the first is waited for.
    """

    def __init__(self, kept: Sequence[Keepable], *, out: TextIO | None = None, patience: float = 15.0) -> None:
        self.kept = list(kept)
        self._out = out or sys.stdout
        self._patience = patience
        self._stop = threading.Event()
        self._signals = 0
        self._records = {each.name: _Record() for each in self.kept}

    def stop(self) -> None:
        """End `run` soon; for signal handlers and other threads."""
        self._stop.set()

    def listen_to_signals(self) -> None:
        """Ctrl-C, SIGTERM and a closed terminal end `run`; a second signal ends the children by force."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, _: object) -> None:
        self._signals += 1
        self._stop.set()
        if self._signals > 1:
            self._patience = 0.0

    def run(self, ready: Callable[[], bool] | None = None, announce: Callable[[], None] | None = None) -> int:
        """Keep everything running until stopped; returns the exit status, 1 if something cannot be kept
        running.

        `ready` is asked from time to time until it is true, then `announce` is called once.
        """
        try:
            for each in self.kept:
                if not self._stop.is_set() and not each.alive():
                    self._start(each)
            while not self._stop.wait(LOOK_SECONDS):
                if not all(self._look_after(each) for each in self.kept):
                    return 1
                if announce is not None and (ready is None or ready()):
                    announce()
                    announce = None
            return 0
        finally:
            self._end_all()

    def _start(self, each: Keepable) -> None:
        self._records[each.name].started = time.monotonic()
        self._records[each.name].resume = None
        try:
            each.start()
        except Exception as error:  # counts as a false start
            say(self._out, "turnkeeper", f"{each.name} cannot be started: {error}")

    def _look_after(self, each: Keepable) -> bool:
        """Start it again when its time has come; False if it has failed too often."""
        record, now = self._records[each.name], time.monotonic()
        if each.alive():
            if now - record.started > STEADY_SECONDS:
                record.false_starts = 0
            return True
        if record.resume is None:
            record.false_starts = record.false_starts + 1 if now - record.started <= STEADY_SECONDS else 0
            if record.false_starts > FALSE_STARTS:
                say(self._out, "turnkeeper", f"{each.name} cannot be kept running (its own lines say why)")
                return False
            pause = min(0.5 * 2**record.false_starts, LONGEST_PAUSE)
            record.resume = now + pause
            say(self._out, "turnkeeper", f"{each.name} has ended, next start in {pause:g} s")
        elif now >= record.resume:
            self._start(each)
        return True

    def _end_all(self) -> None:
        for each in self.kept:
            if isinstance(each, Child):
                each.ask_to_end()
        deadline = time.monotonic() + self._patience
        for each in reversed(self.kept):
            each.stop(max(0.0, min(deadline - time.monotonic(), self._patience)))
