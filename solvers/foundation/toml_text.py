"""Texts in TOML files that are written: whatever stands in them, a reader takes them back."""

import json
from typing import Any

import tomlkit


def toml_text(text: str) -> Any:
    """Return a text as a tomlkit item.

    tomlkit leaves DEL as it is, which TOML does not allow; the escapes of JSON are TOML's as well.
    """
    return tomlkit.value(json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f"))
