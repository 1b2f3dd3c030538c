"""Every text survives a TOML file."""

import tomllib

import tomlkit
from hypothesis import example, given
from hypothesis import strategies as st

from solvers.foundation.typed_files import toml_text


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("\x7f\x00\\\"'''\n\t")
def test_a_text_survives(text: str) -> None:
    document = tomlkit.document()
    document["text"] = toml_text(text)
    assert tomllib.loads(tomlkit.dumps(document)) == {"text": text}
