"""Runs a check for every combination, and says of each that failed which one it was."""

import itertools


def each(check, *choices):
    failures = []
    for chosen in itertools.product(*choices):
        try:
            check(*chosen)
        except Exception as error:  # noqa: BLE001
            names = " at ".join(getattr(one, "__name__", one) for one in chosen)
            failures.append(f"{names}: {error!r}")
    if failures:
        raise AssertionError("\n".join(failures))
