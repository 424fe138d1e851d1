"""The native half; nothing here is meant to be called by users."""

from typing import Any

__version__: str

class Stopped(RuntimeError):
    """The work was stopped, or ran out of time, before it had a result."""

class Job:
    def wait(self, seconds: float) -> Any | None: ...
    def result(self) -> Any: ...
    def cancel(self) -> None: ...
    @property
    def ended(self) -> bool: ...
    def gauges(self) -> tuple[float, int, int, int]: ...

class Table:
    @property
    def material(self) -> str: ...
    @property
    def metric(self) -> str: ...
    @property
    def held_bytes(self) -> int: ...
    def probe(self, fen: str) -> tuple[int, int | None]: ...
    def probe_many(self, fens: list[str]) -> tuple[list[int], list[int]]: ...
    def moves(self, fen: str) -> list[tuple[str, tuple[int, int | None]]]: ...
    def line(self, fen: str, plies: int) -> list[str]: ...
    def hardest(self, white: bool, winner_moves: bool, limit: int) -> list[str]: ...
    def statistics(self) -> list[dict[str, Any]]: ...
    def save(self, folder: str, small: bool) -> list[tuple[str, int]]: ...

class Engine:
    def __init__(
        self,
        hash_mib: int,
        threads: int,
        skill: int,
        elo: int | None,
        contempt: int,
        syzygy_path: str,
        book_file: str,
        eval_file: str,
    ) -> None: ...
    def start(
        self,
        fen: str,
        moves: list[str],
        chess960: bool,
        depth: int | None,
        nodes: int | None,
        mate: int | None,
        seconds: float | None,
        multipv: int,
        only: list[str] | None,
    ) -> Job: ...
    def evaluate(self, fen: str, moves: list[str], chess960: bool) -> int: ...
    def clear(self) -> None: ...

def board_svg(fen: str, moves: list[str], chess960: bool, flipped: bool) -> str: ...
def read_moves(fen: str, moves: list[str], chess960: bool) -> dict[str, Any]: ...
def start_proof(
    fen: str,
    plies: int,
    exact: bool,
    games_max: int,
    stop_at: str,
    threads: int,
    memory_mib: int | None,
    seconds: float | None,
) -> Job: ...
def start_sheet(
    text: str,
    games_max: int,
    threads: int,
    memory_mib: int | None,
    seconds: float | None,
    seconds_each: float | None,
) -> Job: ...
def start_fairy(
    fen: str,
    plies: int,
    conditions: list[str],
    pieces: list[tuple[str, str]],
    start: str | None,
    series: bool,
    exact: bool,
    games_max: int,
    threads: int,
    memory_mib: int | None,
    seconds: float | None,
) -> Job: ...
def start_steno(
    text: str,
    words: str,
    fen: str,
    chess960: bool,
    strict: bool,
    games_max: int,
    threads: int,
    memory_mib: int | None,
    seconds: float | None,
) -> Job: ...
def marks_of(
    game: str, words: str, fen: str, chess960: bool, strict: bool
) -> list[tuple[str, str]]: ...
def start_table(
    material: str,
    metric: str,
    pieces: str | None,
    stalemate: str,
    bare_loses: bool,
    cache: str | None,
    threads: int,
    memory_mib: int | None,
    seconds: float | None,
) -> Job: ...
def load_table(
    material: str,
    files: str,
    metric: str,
    pieces: str | None,
    stalemate: str,
    bare_loses: bool,
    into_memory: bool,
    cache_mib: int,
) -> Table: ...
