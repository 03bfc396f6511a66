"""Runs the program and reads what it prints."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence


class WarplogError(RuntimeError):
    """The program could not be run, or its command line is wrong."""


def program() -> str:
    """The path of the program: what ``WARPLOG`` names, else that of this installation, else that on ``PATH``."""
    named = os.environ.get("WARPLOG")
    if named:
        return named
    suffix = ".exe" if sys.platform == "win32" else ""
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    for folder in folders:
        path = Path(folder) / f"warplog{suffix}"
        if path.is_file():
            return str(path)
    found = shutil.which("warplog")
    if found is None:
        raise WarplogError("the program warplog is not installed: WARPLOG can name it")
    return found


def flags(
    *,
    launch: Any = None,
    kernels: Sequence[str] = (),
    defines: Optional[Mapping[str, Any]] = None,
    include_dirs: Sequence[Any] = (),
    assume: Sequence[str] = (),
    jobs: Optional[int] = None,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    options: Sequence[str] = (),
) -> list[str]:
    """The command line of what the functions of this module are asked; ``launch`` is ``(grid, block)`` or a block size."""
    words: list[str] = []
    if launch is not None:
        grid, block = _launch(launch)
        if grid is not None:
            words += ["--grid-dim", _dims(grid)]
        if block is not None:
            words += ["--block-dim", _dims(block)]
    for name in kernels:
        words += ["--kernel", name]
    for name, value in (defines or {}).items():
        words += ["-D", name if value is None else f"{name}={value}"]
    for folder in include_dirs:
        words += ["-I", os.fspath(folder)]
    for condition in assume:
        words += ["--assume", condition]
    if jobs is not None:
        words += ["--jobs", str(jobs)]
    if timeout is not None:
        words += ["--file-timeout", str(max(1, round(timeout)))]
    if memory is not None:
        words += ["--file-memory", str(memory)]
    return [*words, *options]


def _launch(launch: Any) -> tuple[Any, Any]:
    if isinstance(launch, Mapping):
        unknown = set(launch) - {"grid", "block"}
        if unknown:
            raise TypeError(f"launch has `grid` and `block`, not {sorted(unknown)}")
        return launch.get("grid"), launch.get("block")
    if isinstance(launch, int):
        return None, launch
    grid, block = launch
    return grid, block


def _dims(dims: Any) -> str:
    sizes = [dims] if isinstance(dims, int) else list(dims)
    if not 1 <= len(sizes) <= 3 or not all(isinstance(size, int) and size > 0 for size in sizes):
        raise TypeError("a size is one to three positive integers")
    return ",".join(str(size) for size in sizes)


def name_of(source: str) -> str:
    """The name under which a text is read: that of Python if it is Python, which no CUDA is."""
    try:
        compile(source, "source", "exec", dont_inherit=True, flags=0x400)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "kernel.cu"
    return "kernel.py"


def run(
    words: Sequence[str], source: Optional[str] = None, timeout: Optional[float] = None
) -> tuple[int, str, str]:
    """Runs the program: exit status, standard output, standard error."""
    done = subprocess.run(
        [program(), *words],
        input=None if source is None else source.encode("utf-8", "surrogateescape"),
        stdin=subprocess.DEVNULL if source is None else None,
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    return (
        done.returncode,
        done.stdout.decode("utf-8", "replace"),
        done.stderr.decode("utf-8", "replace"),
    )


def report(words: Sequence[str], source: Optional[str] = None) -> dict[str, Any]:
    """The JSON that a run prints."""
    status, out, err = run(words, source)
    if status not in (0, 1, 3, 4, 130) or not out.strip():
        raise WarplogError(err.strip() or f"warplog ended with status {status}")
    data: dict[str, Any] = json.loads(out)
    return data
