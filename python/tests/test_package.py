"""The module: typed results, the gate that fails closed, the helper for pytest."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import warplog

RACY = """
__global__ void turn(float *out, const float *in) {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""
RIGHT = RACY.replace("    out", "    __syncthreads();\n    out")
PYTHON = f"import cupy\nturn = cupy.RawKernel(r'''{RACY}''', 'turn')\n"


def test_a_text_under_a_launch() -> None:
    racy = warplog.check(source=RACY, launch=((1,), (64,)))
    assert racy.verdict == "racy"
    (finding,) = racy.findings
    assert (finding.kind, finding.certainty, finding.line) == ("data_race", "confirmed", 4)
    assert finding.diff is not None and "__syncthreads" in finding.diff
    assert warplog.check(source=RIGHT, launch=64).verdict == "race_free"
    assert warplog.check(source=RIGHT, launch={"block": 64}).kernels[0].is_race_free


def test_questions_are_those_of_conditional_findings() -> None:
    result = warplog.check(source=RACY)
    assert result.questions == tuple(one.question for one in result.findings)
    assert any("blockDim.x" in question for question in result.questions)


def test_places_of_python_are_those_of_the_file() -> None:
    result = warplog.check(source=PYTHON, launch=64)
    assert result["turn"].line == 3
    assert result.findings[0].locations[0].file == "kernel.py"


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(RACY)
    (tmp_path / "b.py").write_text(PYTHON.replace(RACY, RIGHT))
    both = warplog.load([tmp_path], launch=64)
    assert sorted(kernel.verdict for kernel in both.kernels) == ["race_free", "racy"]
    one = warplog.load(tmp_path / "b.py", launch=64)
    assert one.verdict == "race_free"
    nothing = warplog.load(tmp_path / "missing.cu")
    assert nothing.verdict == "unknown" and nothing.errors


def test_what_cannot_be_asked_is_an_error() -> None:
    for wrong in ({}, {"source": RACY, "path": "a.cu"}, {"source": RACY, "launch": (1, 0)}):
        with pytest.raises(TypeError):
            warplog.check(**wrong)
    with pytest.raises(warplog.WarplogError):
        warplog.check(source=RACY, options=["--no-such-flag"])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (RACY, "fail"),
        (RIGHT.replace("{\n", "{\n    if (threadIdx.x >= 64) return;\n", 1), "warn"),
        (PYTHON, "fail"),
        ("Here is your kernel.", "fail"),
        ("", "fail"),
        ("__global__ void k(int *p) { helper(p); }", "warn"),
        ("__global__ void k(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 1; }", "pass"),
    ],
)
def test_the_gate(text: str, answer: str) -> None:
    judgement = warplog.gate(text)
    assert judgement == answer, judgement.feedback
    assert judgement.passed == (answer == "pass")
    assert bool(judgement.feedback) == (answer != "pass")


def test_the_gate_under_a_launch() -> None:
    # Made for one block of 64 threads, it is wrong for others, and two blocks meet at one place.
    assert not warplog.gate(RIGHT)
    assert not warplog.gate(RIGHT, launch=((4,), (64,)))
    assert warplog.gate(RIGHT, launch=((1,), (64,))) == "pass"
    failed = warplog.gate(RACY, launch=((1,), (64,)))
    assert failed == "fail" and not failed
    assert "line 4" in failed.feedback and "__syncthreads" in failed.feedback


@pytest.mark.parametrize(
    "script",
    [
        "exit 0",
        "exit 139",
        "kill -9 $$",
        "sleep 60",
        "echo pass",
        'echo \'{"schema": "warplog-gate/1", "answer": "pass", "reasons": [], "kernels": {}}\'',
        'echo \'{"schema": "warplog-gate/1", "answer": "pass", "reasons": [], "kernels": {"k": "race_free"}}\'; exit 1',
        'echo \'{"schema": "warplog-gate/2", "answer": "pass", "reasons": [], "kernels": {"k": "race_free"}}\'',
    ],
)
def test_the_gate_fails_closed(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("WARPLOG", str(program))
    judgement = warplog.gate(RIGHT, timeout=-29.0)
    assert judgement == "fail" and judgement.reasons
    monkeypatch.setenv("WARPLOG", str(tmp_path / "nothing"))
    assert warplog.gate(RIGHT) == "fail"


def test_the_helper(tmp_path: Path) -> None:
    class Kernel:
        code = RACY

    path = tmp_path / "turn.cu"
    path.write_text(RIGHT)
    warplog.assert_race_free(path, launch=((1,), (64,)))
    warplog.assert_race_free(os.fspath(path), launch=((1,), (64,)))
    with pytest.raises(AssertionError, match="data race in `turn`"):
        warplog.assert_race_free(Kernel(), launch=((1,), (64,)))
    with pytest.raises(AssertionError, match="no kernel"):
        warplog.assert_race_free("int x;\n")
    with pytest.raises(TypeError):
        warplog.assert_race_free(3)


def test_what_people_read() -> None:
    text = str(warplog.check(source=RACY, launch=64))
    assert "kernel.cu:2: `turn` is racy" in text and "confirmed data race" in text and "\n    " in text
    assert str(warplog.check(source="int x;\n")) != ""
    assert re.fullmatch(r"\d+\.\d+\.\d+", warplog.__version__)
    with pytest.raises(AttributeError):
        warplog.no_such_thing


def test_the_module_is_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "turn.cu").write_text(RACY)
    words = [sys.executable, "-m", "warplog", "check", "turn.cu", "--block-dim", "64", "--format", "concise"]
    environment = {**os.environ, "PYTHONPATH": str(Path(warplog.__file__).parents[1])}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout[:12]) == (1, "turn.cu:4:5:"), done
    environment["WARPLOG"] = str(tmp_path / "nothing")
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.startswith("warplog: "), done
