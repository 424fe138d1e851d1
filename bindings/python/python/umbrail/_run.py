"""Work that runs: progress, answers, and stopping."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar

from ._native import Job

Answer = TypeVar("Answer")
Event = TypeVar("Event")


@dataclass(frozen=True)
class Progress:
    """How far a piece of work is."""

    seconds: float
    """Time since the start."""
    nodes: int
    """Moves made or positions settled so far."""
    done: int
    """How much of the present step is done; 0 when that is not known."""
    total: int
    """The size of the present step; 0 when that is not known."""
    news: str | None
    """What has just happened, in one sentence: a game was found, a table is finished. None for a regular report."""

    def __str__(self) -> str:
        share = f", {100 * self.done // self.total} %" if self.total else ""
        news = f": {self.news}" if self.news else ""
        return f"{self.seconds:.1f} s, {self.nodes} nodes{share}{news}"


class Run(Generic[Event, Answer]):
    """Work that was started, on threads of its own.

    Iterate over it to see what happens; the loop ends when the work has ended. Then, or at any time, ``result()`` waits
    for the answer. ``stop()`` asks the work to end early: the answer is then what is known so far. Leaving a
    ``with`` block stops the work, and so does Ctrl-C, which raises KeyboardInterrupt as usual.

    >>> import umbrail
    >>> with umbrail.start_proof("rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR", 2.5) as run:
    ...     for progress in run:
    ...         pass
    >>> print(run.result().games[0])
    1. d4 Nf6 2. Bf4 Nd5 3. Bxc7
    """

    def __init__(
        self,
        job: Job,
        answer: Callable[[Any], Answer],
        event: Callable[[Any, Progress], Event],
        every: float | None,
    ) -> None:
        self._job = job
        self._make_answer = answer
        self._make_event = event
        self._every = every
        self._answer: Answer | None = None
        self._error: BaseException | None = None
        self._taken = False

    def __repr__(self) -> str:
        state = "ended" if self.ended else "running"
        return f"<Run: {state}, {self.progress}>"

    def __iter__(self) -> Iterator[Event]:
        while True:
            event = self._job.wait(86_400.0 if self._every is None else self._every)
            if event is not None:
                yield self._make_event(event, self._progress(str(event)))
            elif self._job.ended:
                return
            elif self._every is not None:
                yield self._make_event(None, self._progress(None))

    def _progress(self, news: str | None) -> Progress:
        return Progress(*self._job.gauges(), news=news)

    @property
    def progress(self) -> Progress:
        """How far the work is now."""
        return self._progress(None)

    @property
    def ended(self) -> bool:
        """Whether the work has ended, so that ``result()`` does not wait."""
        return self._job.ended

    def stop(self) -> None:
        """Asks the work to end as soon as it can. Does not wait."""
        self._job.cancel()

    def result(self) -> Answer:
        """Waits for the answer; the same answer each time it is asked for."""
        if not self._taken:
            try:
                self._answer = self._make_answer(self._job.result())
            except KeyboardInterrupt:
                # The work has ended with what it knows; that can still be asked for.
                raise
            except BaseException as error:
                self._error = error
            self._taken = True
        if self._error is not None:
            raise self._error
        return self._answer  # type: ignore[return-value]

    def __enter__(self) -> Run[Event, Answer]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def reporting(every: float) -> float:
    """Checks a time between two reports."""
    if not every > 0:
        raise ValueError(f"every must be a number of seconds above 0, got {every}")
    return every


def progress_event(_event: Any, progress: Progress) -> Progress:
    """The events of all runs but analyses."""
    return progress
