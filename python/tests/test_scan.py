"""Scans: every kind of source, the same rows however they are made, nothing lost and nothing twice when a worker dies."""

from __future__ import annotations

import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path
from typing import Callable, Iterator

import pytest

pyarrow = pytest.importorskip("pyarrow")
import pyarrow.parquet  # noqa: E402

from warplog import _run, scan  # noqa: E402

KERNEL = """
__global__ void k{n}(int *p, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i{by}] = i;
}}
"""


def kernel(number: int) -> str:
    return KERNEL.format(n=number, by="" if number % 3 else " / 2")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A manifest with a source of every kind, and one that is not there."""
    root = tmp_path / "sources"
    lines = []
    for number in range(4):
        folder = root / f"folder{number}"
        folder.mkdir(parents=True)
        (folder / "k.cu").write_text(kernel(number))
        lines.append(f"sources/folder{number}")
    (root / "one.cu").write_text(kernel(4))
    lines.append("sources/one.cu")
    with tarfile.open(root / "packed.tar.gz", "w:gz") as archive:
        archive.add(root / "folder0", "inner")
    lines.append("sources/packed.tar.gz")
    work = root / "work"
    work.mkdir()
    (work / "k.py").write_text(f"k = RawKernel('''{kernel(5)}''', 'k5')\n")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(work)]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True)
    subprocess.run(["git", "clone", "-q", "--bare", str(work), str(root / "mirror.git")], check=True)
    lines += ["sources/mirror.git", "sources/mirror.git@HEAD"]
    rows = [{"code": kernel(6)}, {"code": f"import cupy\nk = cupy.RawKernel('''{kernel(7)}''', 'k7')\n"}]
    (root / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines.append("sources/set.jsonl")
    pyarrow.parquet.write_table(pyarrow.table({"text": [kernel(8)]}), root / "set.parquet")
    lines.append(json.dumps({"path": "sources/set.parquet", "column": "text", "id": "texts"}))
    lines.append("sources/missing")
    path = tmp_path / "manifest.txt"
    path.write_text("# sources\n" + "\n".join(lines) + "\n")
    return path


def rows(out: Path, table: str = "kernels") -> list[dict[str, object]]:
    found = pyarrow.parquet.read_table(out / f"{table}.parquet").to_pylist()
    assert isinstance(found, list)
    return found


def test_one_process(sources: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert scan.main([str(sources), "--out", str(out), "--local", "--workers", "2"]) == 3
    kernels = rows(out)
    assert len(kernels) == 11
    assert {row["name"]: row["verdict"] for row in kernels} == {
        f"k{n}": "race_free" if n % 3 else "racy" for n in range(9)
    }
    assert len({(row["repository"], row["file"], row["name"]) for row in kernels}) == 11
    summary = json.loads((out / "summary.json").read_text())
    assert len(summary["failed"]) == 1 and "no such file" in next(iter(summary["failed"].values()))
    # Nothing is done again, and nothing is there twice.
    before = {path: path.stat().st_mtime_ns for path in (out / "done").rglob("*")}
    assert scan.main([str(sources), "--out", str(out), "--local"]) == 3
    assert {path: path.stat().st_mtime_ns for path in (out / "done").rglob("*")} == before
    assert rows(out) == kernels


def test_shards_together_are_the_whole(sources: Path, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    scan.main([str(sources), "--out", str(whole), "--local"])
    for number in (1, 2, 3):
        scan.main([str(sources), "--out", str(parts), "--local", "--shard", f"{number}/3"])
    scan.main([str(sources), "--out", str(parts), "--local"])
    for table in ("kernels", "launches", "findings", "questions", "coverage"):
        assert rows(whole, table) == rows(parts, table), table


@pytest.mark.skipif(shutil.which("parallel") is None, reason="GNU parallel is not installed")
def test_under_gnu_parallel(sources: Path, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    scan.main([str(sources), "--out", str(whole), "--local"])
    environment = {**os.environ, "PYTHONPATH": str(Path(scan.__file__).parents[1])}
    command = f"{sys.executable} -m warplog.scan {sources} --out {parts} --local --shard {{}}/2"
    # Of the sources one is not there, which is status 3.
    subprocess.run(["parallel", command, ":::", "1", "2"], env=environment, check=False, stderr=subprocess.DEVNULL)
    scan.main([str(sources), "--out", str(parts), "--local"])
    assert rows(whole) == rows(parts)


def test_bounds_are_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("WARPLOG", str(slow))
    (tmp_path / "k.cu").write_text(kernel(1))
    (tmp_path / "manifest").write_text("k.cu\n")
    out = tmp_path / "out"
    assert scan.main([str(tmp_path / "manifest"), "--out", str(out), "--local", "--timeout", "0.3"]) == 3
    (failed,) = (out / "failed").glob("*.json")
    assert "more than 0.3 seconds" in json.loads(failed.read_text())["reason"]
    # It is told again, and tried again only when that is asked for.
    assert scan.main([str(tmp_path / "manifest"), "--out", str(out), "--local"]) == 3
    monkeypatch.delenv("WARPLOG")
    if os.environ.get("WARPLOG_UNDER_TEST"):
        monkeypatch.setenv("WARPLOG", os.environ["WARPLOG_UNDER_TEST"])
    assert scan.main([str(tmp_path / "manifest"), "--out", str(out), "--local", "--again"]) == 0
    assert not list((out / "failed").glob("*.json"))


def test_databases_read_the_tables(sources: Path, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    out = tmp_path / "out"
    scan.main([str(sources), "--out", str(out), "--local"])
    found = duckdb.sql(
        f"select verdict, count(*) from '{out}/kernels.parquet' group by verdict order by verdict"
    ).fetchall()
    assert found == [("race_free", 7), ("racy", 4)]
    one = duckdb.sql(
        f"select count(*) from '{out}/findings.parquet' f join '{out}/kernels.parquet' k "
        "on f.repository = k.repository and f.file = k.file and f.kernel = k.name where k.verdict = 'racy'"
    ).fetchall()
    assert one[0][0] > 0


def test_ids_and_shards() -> None:
    folder = "/x"
    assert scan._source("/a/b", folder).id != scan._source("/a-b", folder).id
    assert scan._source("a.git@v1", folder).revision == "v1"
    with pytest.raises(ValueError):
        scan._source('{"path": "a", "id": "../b"}', folder)
    many = [scan.Source(f"s{number}", "/", "folder") for number in range(100)]
    parts = [scan.shard(many, f"{number}/4") for number in (1, 2, 3, 4)]
    assert sorted(one.id for part in parts for one in part) == sorted(one.id for one in many)
    with pytest.raises(SystemExit):
        scan.shard(many, "5/4")


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a cluster of three nodes: a process that is in the middle of a source is killed, and so is a whole node."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    count = 12
    for number in range(count):
        folder = tmp_path / f"r{number}"
        folder.mkdir()
        (folder / "k.cu").write_text(kernel(number))
    (tmp_path / "manifest").write_text("\n".join(f"r{number}" for number in range(count)) + "\n")
    expected = tmp_path / "expected"
    assert scan.main([str(tmp_path / "manifest"), "--out", str(expected), "--local"]) == 0
    # Each takes a second, so that there is a middle.
    slow = tmp_path / "slow"
    slow.write_text(f'#!/bin/sh\nsleep 1\nexec "{_run.program()}" "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setenv("WARPLOG", str(slow))
    monkeypatch.setenv("PYTHONPATH", str(Path(scan.__file__).parents[1]))
    # Workers have the lowest priority otherwise, and on a machine with other work never their turn.
    monkeypatch.setenv("RAY_worker_niceness", "0")
    out = tmp_path / "out"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=2) for _ in range(2)]
    killed: list[int] = []

    def kill() -> None:
        """Kills the first worker that is at work, then one node."""
        # A cluster may take minutes to begin where the machine has other work.
        deadline = time.monotonic() + 900
        while time.monotonic() < deadline and not killed:
            for marker in (out / "work").glob("*/worker.json"):
                try:
                    pid = json.loads(marker.read_text())["pid"]
                    os.kill(pid, signal.SIGKILL)
                except (OSError, ValueError):
                    continue
                killed.append(pid)
                break
            time.sleep(0.02)
        time.sleep(1.0)
        cluster.remove_node(nodes.pop())

    killer = threading.Thread(target=kill)
    try:
        ray.init(address=cluster.address, log_to_driver=False)
        killer.start()
        status = scan.main([str(tmp_path / "manifest"), "--out", str(out)])
        killer.join()
        assert status == 0
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert killed
    for table in ("kernels", "launches", "findings", "questions", "coverage"):
        assert rows(out, table) == rows(expected, table), table
    assert len(rows(out)) == count


def environment() -> dict[str, str]:
    """What a scan in a process of its own is given."""
    return {**os.environ, "PYTHONPATH": str(Path(scan.__file__).parents[1])}


def test_the_command_line_on_ray(sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a user runs it, in a process of its own, on a Ray that it starts and on one that is there: the rows are those of one process."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    monkeypatch.setenv("RAY_worker_niceness", "0")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        for name, words in (("there", ["--address", cluster.address]), ("local", ["--local"])):
            assert run_it(sources, tmp_path / name, *words) == 10
    finally:
        cluster.shutdown()
    assert run_it(sources, tmp_path / "started") == 10
    for name in ("there", "started"):
        for table in ("kernels", "launches", "findings", "questions", "coverage"):
            assert rows(tmp_path / name, table) == rows(tmp_path / "local", table), (name, table)


def run_it(manifest: Path, out: Path, *words: str) -> int:
    """How many sources a scan in a process of its own has done; of those of the manifest one is not there, which is status 3."""
    command = [sys.executable, "-m", "warplog.scan", str(manifest), "--out", str(out), *words]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    return int(done.stdout.partition(" done now")[0].split()[-1])


def test_this_process_works_while_ray_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first sources are done before there is a Ray, the others by its workers, none by both."""
    ray = pytest.importorskip("ray")
    (tmp_path / "manifest").write_text(program_that_tells(tmp_path, monkeypatch, 40))
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    out = tmp_path / "out"
    assert scan.main([str(tmp_path / "manifest"), "--out", str(out)]) == 0
    assert not ray.is_initialized()
    parents = (tmp_path / "told").read_text().split()
    assert len(parents) == len(rows(out)) == 40
    assert str(os.getpid()) in parents and len(set(parents)) > 1


def program_that_tells(folder: Path, monkeypatch: pytest.MonkeyPatch, count: int, behind: str = "sleep 1") -> str:
    """A manifest of this many sources, and a program that writes by whom it was begun, takes its time and then does what it should."""
    program = folder / "program"
    program.write_text(
        f'#!/bin/sh\nif [ "$2" = --no-cache ]; then\necho $PPID >> {folder}/told\n{behind}\nfi\nexec "{_run.program()}" "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("WARPLOG", str(program))
    for number in range(count):
        (folder / f"k{number}.cu").write_text(kernel(number))
    return "".join(f"k{number}.cu\n" for number in range(count))


def test_a_source_that_kills_its_workers_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every worker that takes one source dies, whoever it is: that source fails, with the reason, and the others are done."""
    ray = pytest.importorskip("ray")
    behind = f'case "$PWD" in {tmp_path}/out/work/k1.cu*) kill -9 $PPID ;; esac'
    lines = program_that_tells(tmp_path, monkeypatch, 3, behind)
    (tmp_path / "manifest").write_text(lines)
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    monkeypatch.setenv("RAY_worker_niceness", "0")
    monkeypatch.setattr(scan, "BEGUN_AGAIN", 1)
    out = tmp_path / "out"
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    try:
        assert scan.main([str(tmp_path / "manifest"), "--out", str(out)]) == 3
    finally:
        ray.shutdown()
    (failed,) = (out / "failed").glob("*.json")
    assert failed.name.startswith("k1.cu") and "its worker is lost" in json.loads(failed.read_text())["reason"]
    assert sorted(str(row["name"]) for row in rows(out)) == ["k0", "k2"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_scan_that_is_ended_leaves_nothing_behind(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in work ends with the scan and is no failure; what is done stays; the same command does the rest."""
    if number == signal.SIGKILL and not scan._leash():
        pytest.skip("setpriv is not installed")
    slow = f'case "$PWD" in {tmp_path}/out/work/k0.cu*) ;; *) echo $$ > {tmp_path}/slow; exec sleep 300 ;; esac'
    (tmp_path / "manifest").write_text(program_that_tells(tmp_path, monkeypatch, 9, slow))
    out = tmp_path / "out"
    command = [sys.executable, "-m", "warplog.scan", str(tmp_path / "manifest"), "--out", str(out), "--local", "--workers", "1"]
    # Where these tests run in the background, an interruption from the keyboard is ignored otherwise.
    begin = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True, preexec_fn=begin) as running:
        wait_for(lambda: (tmp_path / "slow").exists() and (tmp_path / "slow").read_text().strip() != "")
        os.kill(running.pid, number)
        _, err = running.communicate(timeout=60)
    assert running.returncode == (-9 if number == signal.SIGKILL else 130), err
    at_work = int((tmp_path / "slow").read_text())
    wait_for(lambda: not is_running(at_work))
    assert not (out / "failed").exists()
    assert len(list((out / "done").iterdir())) == 1
    monkeypatch.delenv("WARPLOG")
    if os.environ.get("WARPLOG_UNDER_TEST"):
        monkeypatch.setenv("WARPLOG", os.environ["WARPLOG_UNDER_TEST"])
    assert scan.main([str(tmp_path / "manifest"), "--out", str(out), "--local"]) == 0
    assert sorted(str(row["name"]) for row in rows(out)) == [f"k{nth}" for nth in range(9)]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def files(folder: str) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def test_git_is_read_without_what_a_clone_lacks(tmp_path: Path) -> None:
    """A clone that was made without large files: what is there is read, what is not is counted, nothing is fetched."""
    work = tmp_path / "work"
    (work / "inner").mkdir(parents=True)
    (work / "inner" / "k.cu").write_text(kernel(1))
    (work / "weights.bin").write_bytes(b"\0" * 100_000)
    (work / "link.cu").symlink_to("inner/k.cu")
    (work / "outside.cu").symlink_to("../../etc/passwd")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(work)]
    for words in (["init", "-q"], ["config", "uploadpack.allowFilter", "true"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True)
    mirror = tmp_path / "mirror.git"
    address = f"file://{work}"
    subprocess.run(["git", "clone", "-q", "--bare", "--filter=blob:limit=50k", address, str(mirror)], check=True)
    # From now on there is nowhere to fetch anything from.
    work.rename(tmp_path / "elsewhere")
    to = tmp_path / "to"
    to.mkdir()
    assert scan._from_git(str(mirror), "HEAD", str(to)) == 2
    assert sorted(files(str(to))) == ["inner/k.cu", "link.cu"]
    assert os.readlink(to / "link.cu") == "inner/k.cu"
    (tmp_path / "manifest").write_text("mirror.git\n")
    out = tmp_path / "out"
    assert scan.main([str(tmp_path / "manifest"), "--out", str(out), "--local"]) == 0
    (row,) = rows(out, "sources")
    assert (row["status"], row["absent_files"], row["attempts"]) == ("done", 2, 1)
    assert row["processor_seconds"] > 0  # type: ignore[operator]
    with pytest.raises(OSError):
        scan._from_git(str(mirror), "no-such-revision", str(to))


def test_archives_of_strings(tmp_path: Path) -> None:
    """A data set may be one file in one of four formats, or a folder of such; texts that are Python are read as Python."""
    import csv
    import gzip

    texts = [kernel(1), f"import cupy\nk = cupy.RawKernel('''{kernel(2)}''', 'k2')\n"]
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "a.jsonl").write_text("".join(json.dumps({"code": text}) + "\n\n" for text in texts))
    with gzip.open(folder / "b.jsonl.gz", "wt") as file:
        file.write(json.dumps({"code": kernel(3)}) + "\n")
    with open(folder / "c.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["name", "code"])
        table.writerow(["one", kernel(4)])
    pyarrow.parquet.write_table(pyarrow.table({"code": [kernel(5), None]}), folder / "d.parquet")
    (folder / "notes.txt").write_text("no rows\n")
    lines = [json.dumps({"path": "set", "kind": "strings", "id": "all"})]
    lines += [f"set/{name}" for name in ("a.jsonl", "b.jsonl.gz", "c.csv", "d.parquet")]
    (tmp_path / "manifest").write_text("\n".join(lines) + "\n")
    out = tmp_path / "out"
    assert scan.main([str(tmp_path / "manifest"), "--out", str(out), "--local"]) == 0
    names = [row["name"] for row in rows(out) if row["repository"] == "all"]
    assert sorted(names) == ["k1", "k2", "k3", "k4", "k5"]
    assert len(rows(out)) == 10
    wrong = json.dumps({"path": "set/c.csv", "column": "no_such", "id": "wrong"})
    (tmp_path / "wrong").write_text(wrong + "\n")
    assert scan.main([str(tmp_path / "wrong"), "--out", str(tmp_path / "out2"), "--local"]) == 3


@pytest.fixture
def store() -> Iterator[tuple[str, str]]:
    """A store that speaks as S3 does, on this machine: its address, and what is to stand behind the addresses of its objects."""
    server = pytest.importorskip("moto.server", reason="moto is not installed (pip install 'moto[server]')")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    running.start()
    host, port = running.get_host_and_port()
    try:
        yield f"http://{host}:{port}", f"?scheme=http&endpoint_override={host}:{port}&region=us-east-1"
    finally:
        running.stop()


def test_a_store_of_objects(store: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders, tar files and data sets in S3 give the rows that they give here."""
    boto3 = pytest.importorskip("boto3")
    address, behind = store
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    client = boto3.client("s3", endpoint_url=address, region_name="us-east-1")
    client.create_bucket(Bucket="kernels")
    folder = tmp_path / "here" / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "a.cu").write_text(kernel(0))
    (folder / "inner" / "b.cu").write_text(kernel(1))
    with tarfile.open(tmp_path / "here" / "packed.tar.gz", "w:gz") as archive:
        archive.add(folder, "project")
    (tmp_path / "here" / "set.jsonl").write_text(json.dumps({"code": kernel(2)}) + "\n")
    for path in (tmp_path / "here").rglob("*"):
        if path.is_file():
            client.upload_file(str(path), "kernels", str(path.relative_to(tmp_path / "here")))
    names = {"folder": "folder", "packed": "packed.tar.gz", "set": "set.jsonl"}
    for manifest, where in (("here", "here/{}"), ("there", f"s3://kernels/{{}}{behind}")):
        lines = [json.dumps({"id": id, "path": where.format(name)}) for id, name in names.items()]
        (tmp_path / f"{manifest}.txt").write_text("\n".join(lines) + "\n")
        out = tmp_path / f"out-{manifest}"
        assert scan.main([str(tmp_path / f"{manifest}.txt"), "--out", str(out), "--local"]) == 0
    assert len(rows(tmp_path / "out-there")) == 5
    for table in ("kernels", "launches", "findings", "questions", "coverage"):
        assert rows(tmp_path / "out-there", table) == rows(tmp_path / "out-here", table), table
    # What is not there is a failure of its source.
    (tmp_path / "wrong").write_text(f"s3://kernels/no-such{behind}\n")
    assert scan.main([str(tmp_path / "wrong"), "--out", str(tmp_path / "out"), "--local"]) == 3
    (failed,) = (tmp_path / "out" / "failed").glob("*.json")
    assert "cannot be read" in json.loads(failed.read_text())["reason"]
