"""Scans of many repositories: one task each, results as Parquet, resumed by what is there.

    python -m warplog.scan MANIFEST --out DIR              # on Ray, as many machines as it has
    python -m warplog.scan MANIFEST --out DIR --local      # in this process
    parallel python -m warplog.scan MANIFEST --out DIR --local --shard {}/8 ::: 1 2 3 4 5 6 7 8

**Manifest.** One source a line: a folder, a file, a tar file, a git repository (bare or not, ``PATH@REVISION``), or a line of JSON with
``path`` and, as they are needed, ``id``, ``kind`` (``folder``, ``tar``, ``git``, ``strings``), ``revision``, ``column`` and ``options``. A
data set of strings is a ``.jsonl``, ``.jsonl.gz``, ``.csv`` or ``.parquet`` file, or a folder of such, whose rows have the code in a column,
``code`` unless another is named. Paths are those of the machines that do the work, or addresses of a store that Arrow knows
(``s3://bucket/key``, ``gs://``, ``hdfs://``): what they name is copied to the machine that does the source, and goes when it is done.

**Git** is read object by object, not checked out: a repository may be bare, and may have been cloned without its large files. Those that
are not there are counted with the source.

**What is written.** ``DIR/done/ID`` has the tables of a source and how it went; it appears by one ``rename``, so it is whole or
not there, and a source that two workers did (the first was taken for dead) is there once. A source that failed is in
``DIR/failed/ID.json`` with the reason. At the end the tables of all sources are put together in ``DIR/*.parquet``, in the order of the
ids, so that the same manifest gives the same rows from one machine and from many.

**Failures.** A source is bounded in time and memory, for all of its files together. One that runs into a bound, or cannot be read,
has failed; one whose process died is tried again. A worker that is killed is Ray's business: its task goes to another.
"""

from __future__ import annotations

import argparse
import csv
import functools
import gzip
import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence

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


#: Set when the scan is to end: sources in work are given up, and are no failures.
_ENDING = threading.Event()


class Interrupted(Exception):
    """The scan ends."""


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
    full = path if _is_address(path) else os.path.normpath(os.path.join(folder, path))
    kind = data.get("kind") or _kind(full, revision)
    if kind not in ("folder", "tar", "git", "strings"):
        raise ValueError(f"unknown kind `{kind}`")
    name = data.get("id") or _id(path, revision)
    if not re.fullmatch(r"[A-Za-z0-9._+-]{1,200}", name) or name.startswith("."):
        raise ValueError(f"`{name}` is no id: letters, digits and . _ + - are allowed")
    options = tuple(str(option) for option in data.get("options", ()))
    return Source(name, full, kind, revision, str(data.get("column", "code")), options)


def _is_address(path: str) -> bool:
    """Whether a path is one of a store on other machines."""
    return re.match(r"[a-z][a-z0-9+.-]+://", path) is not None


#: Files whose rows are texts.
STRINGS = re.compile(r"\.(jsonl|jsonl\.gz|csv|parquet)$")


def _kind(path: str, revision: Optional[str]) -> str:
    # What follows a question mark says how a store is reached.
    path = path.partition("?")[0] if _is_address(path) else path
    if re.search(r"\.(tar|tgz|tar\.\w+)$", path):
        return "tar"
    if STRINGS.search(path):
        return "strings"
    if _is_address(path):
        return "git" if revision or path.rstrip("/").endswith(".git") else "folder"
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
        except OSError as error:
            status, reason = "failed", f"its tables cannot be written: {error}"
        break
    seconds = round(time.monotonic() - start, 3)
    if status == "failed":
        return _failed(source, out, reason, attempts, seconds)
    return {"id": source.id, "status": status, "reason": reason, "attempts": attempts, "seconds": seconds}


def _failed(source: Source, out: str, reason: str, attempts: int = 1, seconds: float = 0.0) -> dict[str, Any]:
    """How a source went that failed, which is also told in ``out``, unless somebody else has done it."""
    row = {"id": source.id, "status": "failed", "reason": reason, "attempts": attempts, "seconds": seconds}
    if not os.path.isdir(os.path.join(out, "done", source.id)):
        try:
            _write(os.path.join(out, "failed", f"{source.id}.json"), {**asdict(source), **row})
        except OSError as error:
            print(f"{source.id}: {error}", file=sys.stderr)
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
        begun = time.monotonic()
        try:
            root, absent = _fetch(source, folder)
        except (OSError, subprocess.SubprocessError, tarfile.TarError, ValueError, KeyError) as error:
            raise Failure(f"cannot be read: {error}") from error
        read = time.monotonic()
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
        status, err, processor = _bounded(words, root, limits)
        if not _has_parquet():
            _to_parquet(tables)
        written = [name for name in TABLES if os.path.isfile(os.path.join(tables, f"{name}.parquet"))]
        if len(written) != len(TABLES):
            last = err.strip().splitlines()[-1:] or [f"status {status}"]
            # A run that was killed from outside may go through the next time; a wrong option will not.
            raise Failure(f"the analysis gave no tables: {last[0]}", again=status < 0)
        taken = {
            "exit_status": status,
            "attempts": attempt,
            "absent_files": absent,
            "seconds_to_read": round(read - begun, 3),
            "seconds": round(time.monotonic() - read, 3),
            "processor_seconds": round(processor, 3),
        }
        _write(os.path.join(tables, "source.json"), {**asdict(source), **taken})
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
    try:
        status, _, err = _run.run(["check", "--rows", "parquet=", "-"], "", timeout=60)
    except subprocess.TimeoutExpired as error:
        raise Failure("the analysis does not answer", again=True) from error
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


def _fetch(source: Source, folder: str) -> tuple[str, int]:
    """The folder with the files of a source, which may be in ``folder``, and how many of them are not to be had."""
    path, text = source.path, os.path.join(folder, "text")
    if _is_address(path):
        path = _copied(path, os.path.join(folder, "copy"))
    elif not os.path.exists(path):
        raise OSError("no such file or folder")
    if source.kind == "folder":
        if os.path.isdir(path):
            return path, 0
        os.makedirs(text)
        shutil.copy(path, text)
        return text, 0
    os.makedirs(text)
    absent = 0
    if source.kind == "tar":
        with tarfile.open(path) as archive:
            archive.extractall(text, filter="data")
    elif source.kind == "git":
        absent = _from_git(path, source.revision or "HEAD", text)
    else:
        for number, code in enumerate(_strings(path, source.column)):
            suffix = _run.name_of(code).rpartition(".")[2]
            with open(os.path.join(text, f"row{number:06}.{suffix}"), "w", encoding="utf-8") as file:
                file.write(code)
    return text, absent


def _copied(address: str, to: str) -> str:
    """A copy of what an address names: a file with the name that it has there, or a folder."""
    import pyarrow.fs

    try:
        store, path = pyarrow.fs.FileSystem.from_uri(address)
        about = store.get_file_info(path)
        if about.type == pyarrow.fs.FileType.NotFound:
            raise OSError("nothing is stored there")
        os.makedirs(to)
        if about.type == pyarrow.fs.FileType.File:
            target = os.path.join(to, os.path.basename(path))
            pyarrow.fs.copy_files(path, target, source_filesystem=store, destination_filesystem=pyarrow.fs.LocalFileSystem())
            return target
        pyarrow.fs.copy_files(path, to, source_filesystem=store, destination_filesystem=pyarrow.fs.LocalFileSystem())
        return to
    except pyarrow.ArrowException as error:
        raise OSError(str(error)) from error


#: Bytes of the largest file that is taken from a repository: no source is larger.
LARGEST = 16 << 20


def _from_git(repository: str, revision: str, to: str) -> int:
    """Writes the files of a revision, without checking it out: how many are named by it and not there."""
    # What a partial clone lacks is not to be fetched, and whom a repository belongs to does not matter to who only reads it.
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1"}
    git = ["git", "-c", "safe.directory=*", "-C", repository]
    listed = subprocess.run(
        [*git, "ls-tree", "-r", "-z", "--full-tree", revision], env=environment, capture_output=True, check=False
    )
    if listed.returncode != 0:
        raise OSError(listed.stderr.decode("utf-8", "replace").strip())
    files, links = [], []
    for entry in filter(None, listed.stdout.split(b"\0")):
        about, _, name = entry.partition(b"\t")
        mode, _, object_id = about.split()
        # Modules that are repositories of their own are not followed.
        if mode in (b"100644", b"100755"):
            files.append((object_id, name))
        elif mode == b"120000":
            links.append((object_id, name))
    absent = 0
    root = os.fsencode(os.path.realpath(to))
    for name, data in _objects(git, environment, files):
        if data is None:
            absent += 1
            continue
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    # Only now: no file is written through a link.
    for name, data in _objects(git, environment, links):
        path = os.path.join(root, name)
        target = os.path.normpath(os.path.join(os.path.dirname(path), data or b"/"))
        if data and not os.path.isabs(data) and target.startswith(root + b"/"):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(data, path)
        else:
            absent += 1
    return absent


def _objects(
    git: Sequence[str], environment: dict[str, str], wanted: Sequence[tuple[bytes, bytes]]
) -> Iterator[tuple[bytes, Optional[bytes]]]:
    """The contents of objects by the names of their files; none for one that is not there, or too large for a source."""
    with tempfile.TemporaryFile() as asked:
        asked.write(b"".join(object_id + b"\n" for object_id, _ in wanted))
        asked.seek(0)
        with subprocess.Popen([*git, "cat-file", "--batch"], env=environment, stdin=asked, stdout=subprocess.PIPE) as batch:
            assert batch.stdout is not None
            for _, name in wanted:
                header = batch.stdout.readline().split()
                if len(header) != 3:
                    if header[-1:] != [b"missing"]:
                        raise OSError("git gives no objects")
                    yield name, None
                    continue
                left = int(header[2])
                data = batch.stdout.read(left) if left <= LARGEST else None
                while data is None and left > 0:
                    left -= len(batch.stdout.read(min(left, LARGEST)))
                batch.stdout.read(1)
                yield name, data


def _strings(path: str, column: str) -> Iterator[str]:
    """The texts of a data set, in the order of its rows, those of a folder in the order of its names."""
    if os.path.isdir(path):
        for inner in sorted(Path(path).rglob("*")):
            if STRINGS.search(inner.name):
                yield from _strings(str(inner), column)
    elif path.endswith(".parquet"):
        import pyarrow.parquet

        for batch in pyarrow.parquet.ParquetFile(path).iter_batches(columns=[column]):
            yield from (value.as_py() or "" for value in batch.column(0))
    elif path.endswith(".csv"):
        csv.field_size_limit(LARGEST)
        with open(path, encoding="utf-8", newline="") as lines:
            yield from (row[column] or "" for row in csv.DictReader(lines))
    else:
        with gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    yield str(json.loads(line)[column])


#: Seconds between two looks at what a source uses.
LOOKS = 0.25


def _bounded(words: Sequence[str], folder: str, limits: Limits) -> tuple[int, str, float]:
    """Runs a command within the limits: its status, what it says on standard error, and the processor seconds that it took."""
    with tempfile.TemporaryFile() as err:
        try:
            child = subprocess.Popen(
                [*_leash(), *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, start_new_session=True
            )
        except OSError as error:
            raise Failure(f"the analysis cannot be started: {error}") from error
        deadline = time.monotonic() + limits.timeout
        ended, look = 0, 0.0
        try:
            while ended == 0:
                ended, status, used = os.wait4(child.pid, os.WNOHANG)
                if ended:
                    child.returncode = os.waitstatus_to_exitcode(status)
                    break
                if _ENDING.is_set():
                    raise Interrupted
                if time.monotonic() > deadline:
                    raise Failure(f"it took more than {limits.timeout:g} seconds")
                # All processes of the machine are looked at for it, which takes some milliseconds.
                if time.monotonic() > look:
                    if _memory(child.pid) > limits.memory << 20:
                        raise Failure(f"it took more than {limits.memory} MiB")
                    look = time.monotonic() + LOOKS
                time.sleep(0.02)
        finally:
            if not ended:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        err.seek(0)
        return child.returncode, err.read().decode("utf-8", "replace"), used.ru_utime + used.ru_stime


@functools.lru_cache(maxsize=None)
def _leash() -> tuple[str, ...]:
    """What is put before a command so that it ends with this process, even if that is killed; nothing where the system has no such thing."""
    leash = ("setpriv", "--pdeathsig", "KILL")
    try:
        tried = subprocess.run([*leash, "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError:
        return ()
    return leash if tried.returncode == 0 else ()


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
        counts[name] = _write_table(pyarrow.concat_tables(parts), out, name)
    kinds = {"attempts": pyarrow.int64(), "absent_files": pyarrow.int64()}
    kinds.update(dict.fromkeys(("seconds_to_read", "seconds", "processor_seconds"), pyarrow.float64()))
    columns = ("repository", "status", "reason", "revision", *kinds)
    schema = pyarrow.schema([(column, kinds.get(column, pyarrow.string())) for column in columns])
    went = [row for row in map(functools.partial(_how_it_went, out), ids) if row]
    _write_table(pyarrow.Table.from_pylist(went, schema), out, "sources")
    return counts


def _write_table(table: Any, out: str, name: str) -> int:
    import pyarrow.parquet

    beside = os.path.join(out, f".{name}.{os.getpid()}")
    pyarrow.parquet.write_table(table, beside)
    os.replace(beside, os.path.join(out, f"{name}.parquet"))
    return len(table)


def _how_it_went(out: str, id: str) -> Optional[dict[str, Any]]:
    """The row of a source: what it took, or why there is nothing of it. Unlike all other tables it differs from run to run."""
    row: dict[str, Any] = {"repository": id, "status": "done", "reason": None}
    path = os.path.join(out, "done", id, "source.json")
    if not os.path.exists(path):
        path = os.path.join(out, "failed", f"{id}.json")
        if not os.path.exists(path):
            return None
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    row.update(status=data.get("status", "done"), reason=data.get("reason"))
    for name in ("revision", "attempts", "absent_files", "seconds_to_read", "seconds", "processor_seconds"):
        row[name] = data.get(name)
    return row


#: Tasks that Ray is told of before their turn.
AHEAD = 256

#: How often Ray begins a task again whose worker or machine is gone.
BEGUN_AGAIN = 10


def _on_ray(sources: Sequence[Source], out: str, limits: Limits, args: argparse.Namespace) -> list[dict[str, Any]]:
    """One task of Ray a source. While Ray starts on this machine, which takes seconds, this process does the first sources."""
    todo = deque(sources)
    if importlib.util.find_spec("ray") is None:
        raise SystemExit("ray is not installed: pip install 'warplog[ray]', or --local")
    if "ray" in sys.modules and sys.modules["ray"].is_initialized():
        return _tasks(todo, out, limits)
    if args.address is not None or "RAY_ADDRESS" in os.environ:
        return _with_ray(args.address, lambda: _tasks(todo, out, limits))
    ready = threading.Event()

    def meanwhile() -> list[dict[str, Any]]:
        rows = []
        while not ready.is_set():
            try:
                source = todo.popleft()
            except IndexError:
                break
            rows.append(scan_one(source, out, limits))
        return rows

    with _pool(_side_by_side(limits)) as pool:
        begun = [pool.submit(meanwhile) for _ in range(_side_by_side(limits))]

        def rest() -> list[dict[str, Any]]:
            # What is in work here goes on while Ray does the others.
            ready.set()
            rows = _tasks(todo, out, limits)
            return rows + [row for one in begun for row in one.result()]

        try:
            return _with_ray(None, rest)
        finally:
            ready.set()


def _side_by_side(limits: Limits) -> int:
    """How many sources this machine does at a time."""
    return max(1, (os.cpu_count() or 1) // max(1, limits.jobs))


def _with_ray(address: Optional[str], work: Callable[[], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    # Workers that give way to everything else never have their turn on a machine with other work: this process does not, either.
    os.environ.setdefault("RAY_worker_niceness", "0")
    # A scan tells nobody that it is made.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    ray.init(address=address, log_to_driver=False, include_dashboard=False)
    try:
        if threading.current_thread() is threading.main_thread():
            # Ray has put a handler of its own there.
            signal.signal(signal.SIGTERM, _end)
        return work()
    finally:
        ray.shutdown()


def _tasks(todo: deque[Source], out: str, limits: Limits) -> list[dict[str, Any]]:
    """Does the sources as tasks. One whose worker or machine is gone is begun again elsewhere, as Ray does with every task."""
    import ray

    task = ray.remote(num_cpus=limits.jobs, max_retries=BEGUN_AGAIN)(scan_one)
    rows = []
    running: dict[Any, Source] = {}
    while todo or running:
        while todo and len(running) < AHEAD:
            source = todo.popleft()
            running[task.remote(source, out, limits)] = source
        (ended, *_), _ = ray.wait(list(running), num_returns=1)
        source = running.pop(ended)
        try:
            rows.append(ray.get(ended))
        except ray.exceptions.RayError as error:
            # The first line says what; what follows is the trace of Ray.
            rows.append(_failed(source, out, f"its worker is lost: {str(error).strip().splitlines()[0]}"))
    return rows


def _local(sources: Sequence[Source], out: str, limits: Limits, workers: int) -> list[dict[str, Any]]:
    with _pool(workers) as pool:
        return list(pool.map(lambda source: scan_one(source, out, limits), sources))


@contextmanager
def _pool(workers: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that do sources; an interruption ends what they are at, and what they have not begun."""
    pool = ThreadPoolExecutor(max(1, workers))
    try:
        yield pool
    except BaseException:
        _ENDING.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _end(_number: int, _frame: Any) -> None:
    raise KeyboardInterrupt


@contextmanager
def _endable() -> Iterator[None]:
    """Takes a request to terminate, as batch systems send it, for an interruption from the keyboard."""
    _ENDING.clear()
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command line: 0 if every source is done, 3 if some failed, 130 if it was interrupted."""
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
    try:
        with _endable():
            if not todo:
                rows = []
            elif args.local:
                rows = _local(todo, out, limits, args.workers)
            else:
                rows = _on_ray(todo, out, limits, args)
    except KeyboardInterrupt:
        print(f"interrupted: what is done is in {args.out}, and the same command goes on from there", file=sys.stderr)
        return 130
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
    # Under its own name: what belongs to `__main__` would be copied to the workers of Ray, who can import the module instead.
    from warplog import scan

    sys.exit(scan.main())
