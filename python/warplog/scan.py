"""Scans of many repositories: one task each, results as Parquet, resumed by what is there.

    python -m warplog.scan MANIFEST --out DIR              # on Ray, as many machines as it has
    python -m warplog.scan MANIFEST --out DIR --local      # in this process
    parallel python -m warplog.scan MANIFEST --out DIR --local --shard {}/8 ::: 1 2 3 4 5 6 7 8

**Manifest.** One source a line: a folder, a file, a tar file, a git repository (bare or not, ``PATH@REVISION``), or a line of JSON with
``path`` and, as they are needed, ``id``, ``kind`` (``folder``, ``tar``, ``git``, ``strings``), ``revision``, ``column`` and ``options``. A
data set of strings is a ``.jsonl`` or ``.parquet`` file whose rows have the code in a column, ``code`` unless another is named. Paths are
those of the machines that do the work.

**What is written.** ``DIR/done/ID`` has the tables of a source and how it went; it appears by one ``rename``, so it is whole or
not there, and a source that two workers did (the first was taken for dead) is there once. A source that failed is in
``DIR/failed/ID.json`` with the reason. At the end the tables of all sources are put together in ``DIR/*.parquet``, in the order of the
ids, so that the same manifest gives the same rows from one machine and from many.

**Failures.** A source is bounded in time and memory, for all of its files together. One that runs into a bound, or cannot be read,
has failed; one whose process died is tried again. A worker that is killed is Ray's business: its task goes to another.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Iterable, Iterator, Optional, Sequence

from . import _run

#: Columns that hold numbers; all others hold words.
NUMBERS = frozenset(
    "accesses causes findings first_column first_line launch_line launches line number pairs queries second_line".split()
)

#: Tables of a source.
TABLES = ("kernels", "launches", "findings", "questions", "coverage", "errors")


@dataclass(frozen=True)
class Source:
    """What one task is about."""

    id: str
    path: str
    kind: str
    revision: Optional[str] = None
    column: str = "code"
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    """What one source may take."""

    #: Seconds for all of its files.
    timeout: float = 1800.0
    #: MiB of all its processes together.
    memory: int = 8192
    #: How often a process that died is tried again.
    retries: int = 2
    #: Threads of one task.
    jobs: int = 1
    options: tuple[str, ...] = field(default=())


class Failure(Exception):
    """Why a source has no result. ``again`` says whether another try could help."""

    def __init__(self, reason: str, again: bool = False) -> None:
        super().__init__(reason)
        self.again = again


def manifest(path: str) -> list[Source]:
    """The sources that a file lists, each once, by id."""
    found: dict[str, Source] = {}
    folder = os.path.dirname(os.path.abspath(path))
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            try:
                source = _source(line, folder)
            except (ValueError, KeyError, TypeError) as error:
                raise SystemExit(f"{path}:{number}: {error}") from error
            known = found.setdefault(source.id, source)
            if known != source:
                raise SystemExit(f"{path}:{number}: the id {source.id} stands for another source, too")
    return [found[id] for id in sorted(found)]


def _source(line: str, folder: str) -> Source:
    data: dict[str, Any] = {"path": line}
    if line.startswith("{"):
        data = json.loads(line)
        unknown = set(data) - {"id", "path", "kind", "revision", "column", "options"}
        if unknown:
            raise ValueError(f"unknown keys {sorted(unknown)}")
    path, revision = str(data["path"]), data.get("revision")
    if not line.startswith("{") and "@" in os.path.basename(path) and not os.path.exists(os.path.join(folder, path)):
        path, _, revision = path.rpartition("@")
    full = os.path.normpath(os.path.join(folder, path))
    kind = data.get("kind") or _kind(full, revision)
    if kind not in ("folder", "tar", "git", "strings"):
        raise ValueError(f"unknown kind `{kind}`")
    name = data.get("id") or _id(path, revision)
    if not re.fullmatch(r"[A-Za-z0-9._+-]{1,200}", name) or name.startswith("."):
        raise ValueError(f"`{name}` is no id: letters, digits and . _ + - are allowed")
    options = tuple(str(option) for option in data.get("options", ()))
    return Source(name, full, kind, revision, str(data.get("column", "code")), options)


def _kind(path: str, revision: Optional[str]) -> str:
    if re.search(r"\.(tar|tgz|tar\.\w+)$", path):
        return "tar"
    if re.search(r"\.(jsonl|parquet)$", path):
        return "strings"
    bare = all(os.path.exists(os.path.join(path, name)) for name in ("HEAD", "objects"))
    return "git" if bare or revision else "folder"


def _id(path: str, revision: Optional[str]) -> str:
    """A name that says what it is, and is another for another path."""
    text = path if revision is None else f"{path}@{revision}"
    plain = re.sub(r"[^A-Za-z0-9._+-]+", "+", text).strip("+.") or "source"
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{plain[-120:].lstrip('+.-')}-{digest}"


def shard(sources: Sequence[Source], part: str) -> list[Source]:
    """The sources of shard ``I/N``: by a hash of the id, so that it does not depend on the others."""
    number, _, count = part.partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise SystemExit(f"`{part}` is no shard: I/N with I from 1 to N")

    def own(source: Source) -> bool:
        digest = hashlib.sha256(source.id.encode()).digest()
        return int.from_bytes(digest[:8], "big") % int(count) == int(number) - 1

    return [source for source in sources if own(source)]


def scan_one(source: Source, out: str, limits: Limits) -> dict[str, Any]:
    """Does one source, unless it is done: how it went. What it found is in ``out`` when this returns, and not before."""
    done = os.path.join(out, "done", source.id)
    if os.path.isdir(done):
        return {"id": source.id, "status": "known", "reason": "", "attempts": 0, "seconds": 0.0}
    start = time.monotonic()
    attempts = 0
    while True:
        attempts += 1
        try:
            _attempt(source, out, limits, attempts)
            status, reason = "done", ""
        except Failure as failure:
            if failure.again and attempts <= limits.retries:
                continue
            status, reason = "failed", str(failure)
        break
    seconds = round(time.monotonic() - start, 3)
    row = {"id": source.id, "status": status, "reason": reason, "attempts": attempts, "seconds": seconds}
    if status == "failed" and not os.path.isdir(done):
        _write(os.path.join(out, "failed", f"{source.id}.json"), {**asdict(source), **row})
    return row


def _write(path: str, data: Any) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    with open(beside, "w", encoding="utf-8") as file:
        json.dump(data, file)
    os.replace(beside, path)


def _attempt(source: Source, out: str, limits: Limits, attempt: int) -> None:
    work = os.path.join(out, "work")
    os.makedirs(work, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{source.id[:60]}.", dir=work) as folder:
        _write(os.path.join(folder, "worker.json"), {"id": source.id, "pid": os.getpid()})
        text = os.path.join(folder, "text")
        try:
            root = _fetch(source, text)
        except (OSError, subprocess.SubprocessError, tarfile.TarError, ValueError) as error:
            raise Failure(f"cannot be read: {error}") from error
        tables = os.path.join(folder, "tables")
        os.makedirs(tables)
        words = [
            _run.program(),
            "check",
            *("--no-cache", "--coverage", "--quiet", "--no-mends"),
            *("--jobs", str(limits.jobs), "--rows", f"{'parquet' if _has_parquet() else 'csv'}={tables}"),
            *limits.options,
            *source.options,
            ".",
        ]
        status, err = _bounded(words, root, limits)
        if not _has_parquet():
            _to_parquet(tables)
        written = [name for name in TABLES if os.path.isfile(os.path.join(tables, f"{name}.parquet"))]
        if len(written) != len(TABLES):
            last = err.strip().splitlines()[-1:] or [f"status {status}"]
            # A run that was killed from outside may go through the next time; a wrong option will not.
            raise Failure(f"the analysis gave no tables: {last[0]}", again=status < 0)
        _write(os.path.join(tables, "source.json"), {**asdict(source), "exit_status": status, "attempt": attempt})
        target = os.path.join(out, "done", source.id)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        try:
            os.rename(tables, target)
        except OSError:
            # Somebody else has done the same source meanwhile: its result is this one's.
            if not os.path.isdir(target):
                raise
    failed = os.path.join(out, "failed", f"{source.id}.json")
    if os.path.exists(failed):
        os.remove(failed)


@functools.lru_cache(maxsize=None)
def _has_parquet() -> bool:
    """Whether the program writes Parquet itself; where it was built without, its CSV has the same rows."""
    status, _, err = _run.run(["check", "--rows", "parquet=", "-"], "")
    return status == 2 and "without Parquet" not in err


def _to_parquet(folder: str) -> None:
    import pyarrow
    import pyarrow.csv
    import pyarrow.parquet

    for name in TABLES:
        path = os.path.join(folder, f"{name}.csv")
        if not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8") as file:
            columns = file.readline().strip().split(",")
        types = {
            column: pyarrow.int64() if column in NUMBERS else pyarrow.string()
            for column in columns
        }
        table = pyarrow.csv.read_csv(
            path,
            parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(column_types=types, strings_can_be_null=True, null_values=[""]),
        )
        pyarrow.parquet.write_table(table, os.path.join(folder, f"{name}.parquet"))
        os.remove(path)


def _fetch(source: Source, text: str) -> str:
    """The folder of a source; ``text`` is where it may be unpacked."""
    if not os.path.exists(source.path):
        raise OSError("no such file or folder")
    if source.kind == "folder":
        if os.path.isdir(source.path):
            return source.path
        os.makedirs(text)
        shutil.copy(source.path, text)
        return text
    os.makedirs(text)
    if source.kind == "tar":
        with tarfile.open(source.path) as archive:
            archive.extractall(text, filter="data")
    elif source.kind == "git":
        command = ["git", "-c", "safe.directory=*", "-C", source.path, "archive", "--format=tar", source.revision or "HEAD"]
        archive = os.path.join(text, ".archive.tar")
        with open(archive, "wb") as file:
            done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise OSError(done.stderr.decode("utf-8", "replace").strip())
        with tarfile.open(archive) as unpacked:
            unpacked.extractall(text, filter="data")
        os.remove(archive)
    else:
        for number, code in enumerate(_strings(source)):
            suffix = _run.name_of(code).rpartition(".")[2]
            with open(os.path.join(text, f"row{number:06}.{suffix}"), "w", encoding="utf-8") as file:
                file.write(code)
    return text


def _strings(source: Source) -> Iterator[str]:
    if source.path.endswith(".parquet"):
        import pyarrow.parquet

        column = pyarrow.parquet.read_table(source.path, columns=[source.column]).column(0)
        yield from (value.as_py() or "" for value in column)
        return
    with open(source.path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield str(json.loads(line)[source.column])


def _bounded(words: Sequence[str], folder: str, limits: Limits) -> tuple[int, str]:
    """Runs a command within the limits: its status, and what it says on standard error."""
    with tempfile.TemporaryFile() as err:
        try:
            child = subprocess.Popen(
                words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, start_new_session=True
            )
        except OSError as error:
            raise Failure(f"the analysis cannot be started: {error}") from error
        deadline = time.monotonic() + limits.timeout
        try:
            while child.poll() is None:
                if time.monotonic() > deadline:
                    raise Failure(f"it took more than {limits.timeout:g} seconds")
                if _memory(child.pid) > limits.memory << 20:
                    raise Failure(f"it took more than {limits.memory} MiB")
                time.sleep(0.05)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        err.seek(0)
        return child.returncode, err.read().decode("utf-8", "replace")


def _memory(session: int) -> int:
    """Resident bytes of all processes of a session; 0 where the system does not tell."""
    total = 0
    page = os.sysconf("SC_PAGE_SIZE")
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            # The name may hold spaces and parentheses; what follows it does not.
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                total += int(fields[21]) * page
        except (OSError, ValueError, IndexError):
            continue
    return total


def merge(out: str, sources: Iterable[Source]) -> dict[str, int]:
    """Puts the tables of all sources that are done together: the number of rows of each."""
    import pyarrow
    import pyarrow.parquet

    counts = {}
    ids = [source.id for source in sources]
    for name in TABLES:
        parts = []
        for id in ids:
            path = os.path.join(out, "done", id, f"{name}.parquet")
            if os.path.isfile(path):
                table = pyarrow.parquet.read_table(path)
                parts.append(table.add_column(0, "repository", pyarrow.array([id] * len(table), pyarrow.string())))
        if not parts:
            continue
        table = pyarrow.concat_tables(parts)
        beside = os.path.join(out, f".{name}.{os.getpid()}")
        pyarrow.parquet.write_table(table, beside)
        os.replace(beside, os.path.join(out, f"{name}.parquet"))
        counts[name] = len(table)
    return counts


def _on_ray(sources: Sequence[Source], out: str, limits: Limits, args: argparse.Namespace) -> list[dict[str, Any]]:
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise SystemExit("ray is not installed: pip install 'warplog[ray]', or --local") from error
    started = not ray.is_initialized()
    if started:
        ray.init(address=args.address, log_to_driver=False, include_dashboard=False)
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        items = [{"number": number} for number in range(len(sources))]
        # One block a source: a task that is lost is one source that is done again.
        data = ray.data.from_items(items, override_num_blocks=max(1, len(items)))

        def task(row: dict[str, Any]) -> dict[str, Any]:
            return scan_one(sources[int(row["number"])], out, limits)

        data = data.map(task, num_cpus=limits.jobs, max_retries=limits.retries + 1)
        return list(data.take_all())
    finally:
        if started:
            ray.shutdown()


def _local(sources: Sequence[Source], out: str, limits: Limits, workers: int) -> list[dict[str, Any]]:
    with ThreadPoolExecutor(max(1, workers)) as pool:
        return list(pool.map(lambda source: scan_one(source, out, limits), sources))


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command line: 0 if every source is done, 3 if some failed."""
    parser = argparse.ArgumentParser(prog="python -m warplog.scan", description="Scan many repositories for races.")
    parser.add_argument("manifest", help="a file with one source a line")
    parser.add_argument("--out", required=True, metavar="DIR", help="where results are, and those of earlier runs")
    parser.add_argument("--local", action="store_true", help="without Ray, on this machine")
    parser.add_argument("--address", default=None, help="of a Ray cluster; one is started on this machine if there is none")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="tasks side by side, with --local")
    parser.add_argument("--jobs", type=int, default=1, help="threads of one task")
    parser.add_argument("--timeout", type=float, default=1800.0, metavar="SECONDS", help="for each source")
    parser.add_argument("--memory", type=int, default=8192, metavar="MIB", help="for each source")
    parser.add_argument("--retries", type=int, default=2, help="tries more for a source whose process died")
    parser.add_argument("--shard", metavar="I/N", help="only these sources; the tables are put together by a run without it")
    parser.add_argument("--again", action="store_true", help="try sources again that failed in an earlier run")
    parser.add_argument("--option", action="append", default=[], metavar="WORD", help="a word for `warplog check`; may be repeated")
    args = parser.parse_args(arguments)
    out = os.path.abspath(args.out)
    os.makedirs(out, exist_ok=True)
    limits = Limits(args.timeout, args.memory, args.retries, args.jobs, tuple(args.option))
    listed = manifest(args.manifest)
    sources = shard(listed, args.shard) if args.shard else listed
    failed_before = {source.id for source in sources if os.path.exists(os.path.join(out, "failed", f"{source.id}.json"))}
    todo = [
        source
        for source in sources
        if not os.path.isdir(os.path.join(out, "done", source.id)) and (args.again or source.id not in failed_before)
    ]
    start = time.monotonic()
    if not todo:
        rows = []
    elif args.local:
        rows = _local(todo, out, limits, args.workers)
    else:
        rows = _on_ray(todo, out, limits, args)
    failed = {row["id"]: row["reason"] for row in rows if row["status"] == "failed"}
    for id in failed_before - {source.id for source in todo}:
        with open(os.path.join(out, "failed", f"{id}.json"), encoding="utf-8") as file:
            failed[id] = json.load(file)["reason"]
    if not args.shard:
        shutil.rmtree(os.path.join(out, "work"), ignore_errors=True)
        counts = merge(out, listed)
        summary = {"sources": len(listed), "failed": failed, "rows": counts}
        _write(os.path.join(out, "summary.json"), summary)
    for id, reason in sorted(failed.items()):
        print(f"failed: {id}: {reason}", file=sys.stderr)
    seconds = time.monotonic() - start
    print(f"{len(sources)} sources: {len(todo) - len(rows) + sum(row['status'] != 'failed' for row in rows)} done now, "
          f"{len(sources) - len(todo)} before, {len(failed)} failed; {seconds:.1f} s")
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
