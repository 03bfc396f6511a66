"""Data races and barrier divergence in CUDA kernels, from Python.

>>> import warplog
>>> r = warplog.check(source=text, launch=((4,), (256,)))
>>> r.verdict, r.findings, r.questions
>>> print(r)                    # the same for people
>>> warplog.gate(text)          # may generated code pass?

Everything is the program ``warplog`` that comes with the package; the functions here run it and give what it finds as typed data.
"""

from __future__ import annotations

import os
import subprocess
from typing import Any, Mapping, Optional, Sequence, Union

from . import _run
from ._model import Finding, Judgement, Kernel, Location, Reason, Result
from ._run import WarplogError

__all__ = [
    "Finding",
    "Judgement",
    "Kernel",
    "Location",
    "Reason",
    "Result",
    "WarplogError",
    "assert_race_free",
    "check",
    "gate",
    "load",
]

def __getattr__(name: str) -> Any:
    # Asked for when it is wanted: where the package is not installed, the program knows.
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _run.run(["--version"])[1].split()[1]


_Path = Union[str, "os.PathLike[str]"]


def check(
    source: Optional[str] = None,
    *,
    path: Optional[_Path] = None,
    launch: Any = None,
    kernels: Sequence[str] = (),
    defines: Optional[Mapping[str, Any]] = None,
    include_dirs: Sequence[_Path] = (),
    assume: Sequence[str] = (),
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    options: Sequence[str] = (),
) -> Result:
    """Checks the kernels of a text, or of a file or folder.

    A text may be CUDA, or Python with CUDA in its strings. ``launch`` is ``(grid, block)``, ``{"block": …}`` or a block size;
    without it every launch is considered that the code does not show. ``timeout`` (seconds) and ``memory`` (MiB) bound each file;
    ``options`` are further words of the command line.
    """
    if (source is None) == (path is None):
        raise TypeError("either `source` or `path` is to be given")
    words = _run.flags(
        launch=launch,
        kernels=kernels,
        defines=defines,
        include_dirs=include_dirs,
        assume=assume,
        timeout=timeout,
        memory=memory,
        options=options,
    )
    if source is not None:
        where = ["-", "--stdin-name", _run.name_of(source)]
    else:
        where = [os.fspath(path)]  # type: ignore[arg-type]
    words = ["check", "--format", "json", *words, *where]
    return Result._of(_run.report(words, source))


def load(paths: Union[_Path, Sequence[_Path]], **how: Any) -> Result:
    """Checks files and folders together: headers that are shared are read once, kernels in them are told once.

    Takes what :func:`check` takes, and ``jobs``.
    """
    many = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not many:
        raise TypeError("no path is given")
    words = ["check", "--format", "json", *_run.flags(**how), "--", *(os.fspath(path) for path in many)]
    return Result._of(_run.report(words))


def gate(
    text: str,
    *,
    launch: Any = None,
    defines: Optional[Mapping[str, Any]] = None,
    include_dirs: Sequence[_Path] = (),
    timeout: float = 60.0,
    memory: Optional[int] = None,
    options: Sequence[str] = (),
) -> Judgement:
    """Whether generated code may pass.

    ``pass`` means that every kernel is shown to be free of races and barrier divergence. It fails closed: an unknown verdict, a
    text without a kernel, a construct that is not understood, a timeout, a crash and a missing program are no pass. Comments
    and annotations in the text count for nothing.
    """
    try:
        words = _run.flags(
            launch=launch,
            defines=defines,
            include_dirs=include_dirs,
            timeout=timeout,
            memory=memory,
            options=options,
        )
        name = _run.name_of(text)
        words = ["gate", "--format", "json", *words, "-", "--stdin-name", name]
        status, out, err = _run.run(words, text, timeout=timeout + 30.0)
    except subprocess.TimeoutExpired:
        return Judgement._failed("the analysis took too long")
    except (OSError, WarplogError) as error:
        return Judgement._failed(f"the analysis could not be run: {error}")
    try:
        import json

        judgement = Judgement._of(json.loads(out))
    except (ValueError, KeyError, TypeError):
        why = err.strip() or f"status {status}"
        return Judgement._failed(f"the analysis gave no answer: {why}")
    expected = {"pass": 0, "fail": 1, "warn": 4}[judgement.answer]
    if status != expected or (judgement.passed and (judgement.reasons or not judgement.kernels)):
        return Judgement._failed(f"the analysis contradicts itself: status {status}")
    return judgement


def assert_race_free(kernel: Any, **how: Any) -> None:
    """Fails a test unless every kernel of a text, a file or something with ``code`` or ``source`` is shown to be race-free.

    ``kernel`` is text of CUDA or Python, a path (``os.PathLike``, or a string that names a file), or an object whose text is its
    attribute ``code`` or ``source``, such as ``cupy.RawKernel``. Other arguments are those of :func:`check`.
    """
    __tracebackhide__ = True
    for name in ("code", "source"):
        text = getattr(kernel, name, None)
        if isinstance(text, str):
            kernel = text
            break
    is_path = isinstance(kernel, os.PathLike) or (
        isinstance(kernel, str) and "\n" not in kernel and "{" not in kernel and os.path.exists(kernel)
    )
    if not is_path and not isinstance(kernel, str):
        raise TypeError(f"neither text nor a path: {type(kernel).__name__}")
    result = check(path=kernel, **how) if is_path else check(source=kernel, **how)
    if result.verdict == "race_free":
        return
    lines = [*result.errors, *(str(one) for one in result.kernels if not one.is_race_free)]
    raise AssertionError("not shown to be race-free:\n" + "\n".join(lines or ["no kernel was found"]))
