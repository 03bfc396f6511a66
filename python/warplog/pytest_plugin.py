"""For pytest: the fixture ``assert_race_free``, and asserts of this package that are shown with their values."""

from __future__ import annotations

from typing import Any, Callable

import pytest

import warplog


@pytest.fixture
def assert_race_free() -> Callable[..., None]:
    """:func:`warplog.assert_race_free`."""

    def check(kernel: Any, **how: Any) -> None:
        __tracebackhide__ = True
        warplog.assert_race_free(kernel, **how)

    return check
