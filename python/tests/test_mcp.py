"""``warplog mcp`` with the client of the protocol's own Python package, as agents use it."""

from __future__ import annotations

import asyncio
import os
from typing import Any, Awaitable, Callable, Optional

import pytest

pytest.importorskip("mcp", reason="the client is not installed (pip install mcp)")
from mcp import ClientSession, StdioServerParameters  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402

from warplog import _run  # noqa: E402

RACY = """
__global__ void turn(float *out, const float *in) {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""

#: A kernel with this many pairs of accesses takes longer than the second behind which progress is told.
MANY = (
    "__global__ void many(int *p, int n) {\n"
    + "".join(f"    if (n > {nth}) p[threadIdx.x * {nth + 3} + blockIdx.x * {nth + 7}] = {nth};\n" for nth in range(60))
    + "}\n"
)


def with_a_client(talk: Callable[[ClientSession], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        # No result of an earlier run makes a long call a short one.
        environment = {**os.environ, "WARPLOG_CACHE_DIR": ""}
        server = StdioServerParameters(command=_run.program(), args=["mcp"], env=environment)
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            await talk(session)

    asyncio.run(all_of_it())


def content(result: Any) -> dict[str, Any]:
    """What a call gave, whose name the versions of the package spell in two ways."""
    found = getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)
    assert isinstance(found, dict), result
    return found


def test_an_agent_checks_mends_and_explains() -> None:
    async def talk(session: ClientSession) -> None:
        tools = (await session.list_tools()).tools
        assert [tool.name for tool in tools] == ["check", "explain", "equal", "costs"]
        racy = content(await session.call_tool("check", {"source": RACY, "block_dim": "64", "grid_dim": "1"}))
        (kernel,) = racy["kernels"]
        assert kernel["verdict"] == "racy"
        finding = kernel["findings"][0]
        told = content(await session.call_tool("explain", {"source": RACY, "block_dim": "64", "what": "turn"}))
        assert "turn" in told["explanation"]
        # What the report says would mend it does.
        (edit,) = finding["mend"]["edits"]
        lines = RACY.splitlines(keepends=True)
        lines.insert(edit["line"] - 1, edit["text"])
        mended = content(
            await session.call_tool("check", {"source": "".join(lines), "block_dim": "64", "grid_dim": "1"})
        )
        assert mended["kernels"][0]["verdict"] == "race_free"

    with_a_client(talk)


def test_an_agent_is_told_how_far_a_long_call_is() -> None:
    heard: list[tuple[float, Optional[str]]] = []

    async def hear(progress: float, total: Optional[float], message: Optional[str]) -> None:
        heard.append((progress, message))

    async def talk(session: ClientSession) -> None:
        result = await session.call_tool("check", {"source": MANY}, progress_callback=hear)
        assert content(result)["kernels"]

    with_a_client(talk)
    assert heard
    assert [progress for progress, _ in heard] == sorted(progress for progress, _ in heard)
    assert any(message and "`many`" in message for _, message in heard), heard
