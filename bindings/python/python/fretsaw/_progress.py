"""A bar that shows the progress of a solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional


@contextmanager
def bar() -> Iterator[Optional[Callable[[str, float, Any], None]]]:
    """The function to report to; None if tqdm is not installed."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        yield None
        return
    with tqdm(total=100, bar_format="{desc:10} {percentage:3.0f}% |{bar}| {elapsed}", leave=False) as shown:

        def report(stage: str, share: float, _board: Any) -> None:
            shown.set_description_str(stage, refresh=False)
            shown.n = round(100 * share)
            shown.refresh()

        yield report
