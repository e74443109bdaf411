"""The exceptions of fretsaw. Their messages say what was wrong, in which file or argument, and what to do."""

from __future__ import annotations


class FretsawError(Exception):
    """The base of all exceptions of fretsaw."""


class InputError(FretsawError, ValueError):
    """Pieces, pictures or documents that cannot be used."""


class InputTypeError(InputError, TypeError):
    """An object that is no picture, no pieces and no path, or has a wrong shape or type of values."""


class TooLarge(InputError):
    """An input beyond the limits, which ``max_pieces`` and ``max_pixels`` raise."""


class PieceSizeNeeded(InputError):
    """A sheet whose piece size does not stand out, or files of pieces of several sizes.

    ``layouts`` lists the likeliest as ``((width, height), (columns, rows))``.
    """

    layouts: list[tuple[tuple[int, int], tuple[int, int]]]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.layouts = []


class SettingsError(FretsawError, ValueError):
    """Arguments that are wrong or contradict each other or the pieces."""


class SolveError(FretsawError, RuntimeError):
    """A puzzle that could not be solved."""
