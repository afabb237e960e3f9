"""A function by its dotted name, imported at its first use."""

from __future__ import annotations

import importlib
from typing import Any

from rag_kit.errors import MissingModel


def resolve(named: str) -> Any:
    """Import a function by its dotted name; raises MissingModel where it or a package of its is not there.

    >>> resolve("json:dumps")([1])
    '[1]'
    """
    module, _, name = named.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise MissingModel.package(module, error) from None
    except AttributeError:
        raise MissingModel(f"{module} has no {name}: the kit is not whole, get it anew") from None
