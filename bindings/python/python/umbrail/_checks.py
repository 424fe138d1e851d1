"""Checks of numbers before the native half gets them, so that an error names the argument."""

from __future__ import annotations

import operator

THREADS_MAX = 1024
"""More threads than any machine of today has processors."""
MIB_MAX = 1 << 24
"""16 TiB."""
COUNT_MAX = (1 << 63) - 1
"""Limit of counts that have no other."""


def whole(name: str, value: int, least: int, most: int) -> int:
    """The value, if it is a whole number in this range.

    Raises:
        TypeError: it is no whole number.
        ValueError: it is out of range.

    >>> whole("depth", 3, 1, 100)
    3
    >>> whole("depth", -1, 1, 100)
    Traceback (most recent call last):
    ...
    ValueError: depth must be 1 to 100, got -1
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}") from None
    if not least <= number <= most:
        range_text = f"{least} or more" if most == COUNT_MAX else f"{least} to {most}"
        raise ValueError(f"{name} must be {range_text}, got {number}")
    return number


def maybe(name: str, value: int | None, least: int, most: int) -> int | None:
    """The same for a value that may be None."""
    return None if value is None else whole(name, value, least, most)


def workers(threads: int) -> int:
    """A number of threads; 0 for all processors."""
    return whole("threads", threads, 0, THREADS_MAX)


def memory(memory_mib: int | None) -> int | None:
    """Memory in MiB."""
    return maybe("memory_mib", memory_mib, 1, MIB_MAX)
