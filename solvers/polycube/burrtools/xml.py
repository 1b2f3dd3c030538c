"""Safe reading of BurrTools' XML: gzip or plain, no entities, bounded in size, depth and number.

Files may come from anywhere, so everything that could make a small file large is refused, and
elements that no puzzle needs (above all how saved solutions come apart) are dropped while reading.
"""

import codecs
import io
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from solvers.foundation.files import read_bytes
from solvers.foundation.wording import whole_number
from solvers.polycube.errors import PuzzleFileError

GZIP_MAGIC = b"\x1f\x8b"
ZLIB_GZIP_WINDOW = 31  # zlib: 15 bits of window, plus 16 for a gzip header

DECLARATION = re.compile(rb"\s*<\?xml[^>]*>")
ENCODING = re.compile(rb"encoding\s*=\s*[\"']([\w.-]+)")
ENCODED = re.compile(r"\s+encoding\s*=\s*[\"'][\w.-]+[\"']")
UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

MAX_XML_BYTES = 32_000_000  # a file with thousands of saved solutions has a few million
MAX_DEPTH = 20  # BurrTools nests eight deep, except in saved solutions
SAVED = "solutions"
ASSEMBLY = "assembly"
KEPT_WITHIN = {SAVED: "problem", "solution": SAVED, ASSEMBLY: "solution"}
MAX_ASSEMBLIES = 1000  # further ones are dropped
MAX_SAVED_DEPTH = 1000  # disassemblies nest one level deeper for each piece that leaves
MAX_ELEMENTS = 20_000
MAX_DROPPED = 500_000  # saved solutions have some dozen elements each

NEEDED = {
    "puzzle", "gridType", "colors", "color", "shapes", "voxel", "problems", "problem", "shape",
    "group", "result", "bitmap", "pair", "comment",
}  # fmt: skip


def read_xml(path: Path) -> tuple[Element, frozenset[str]]:
    """Return the root of a file, and the names of the elements that were dropped.

    Raises:
        PuzzleFileError: the file cannot be read, is no XML, or is too large in some way.
    """
    return parse_xml(_read_bytes(path), str(path))


def parse_xml(data: bytes, path: str) -> tuple[Element, frozenset[str]]:
    """Return the root of a file's bytes, and the names of the dropped elements.

    `path` names the file in messages.
    """
    return _parse(_plain(data, path), path)


def read_plain(path: Path) -> bytes:
    """Return the XML of a file, unzipped and in UTF-8 unless it declares something else.

    Raises:
        PuzzleFileError: the file cannot be read, or is too large.
    """
    return _plain(_read_bytes(path), str(path))


def _read_bytes(path: Path) -> bytes:
    return read_bytes(path, PuzzleFileError, "The puzzle file", MAX_XML_BYTES)


def _plain(data: bytes, path: str) -> bytes:
    if data.startswith(GZIP_MAGIC):
        data = _unzip(data, path)
    if len(data) > MAX_XML_BYTES:
        raise PuzzleFileError(f"{path} holds more than {MAX_XML_BYTES} bytes; no puzzle does.")
    return _in_utf8(data)


def text_of(data: bytes, path: Path) -> str:
    """Return the bytes of `read_plain` as text that declares no encoding but UTF-8."""
    declared = DECLARATION.match(data)
    named = ENCODING.search(declared[0]) if declared else None
    encoding = named[1].decode("ascii") if named else "utf-8-sig"
    try:
        text = data.decode("utf-16" if data.startswith(UTF_16_MARKS) else encoding)
    except (LookupError, UnicodeError) as error:
        raise PuzzleFileError(f"{path} is not in the encoding that it declares.") from error
    if not text.lstrip().startswith("<?xml"):
        return text
    head, end, rest = text.partition("?>")
    return ENCODED.sub("", head, count=1) + end + rest


def _in_utf8(data: bytes) -> bytes:
    """Return the XML in UTF-8: BurrTools used to write Latin-1 without declaring it."""
    declared = DECLARATION.match(data)
    if (declared and b"encoding" in declared[0]) or data.startswith(UTF_16_MARKS):
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1").encode("utf-8")
    return data


def _unzip(data: bytes, path: str) -> bytes:
    unzip = zlib.decompressobj(ZLIB_GZIP_WINDOW)
    try:
        # Bounded output: a small gzip file may unpack to gigabytes.
        plain = unzip.decompress(data, MAX_XML_BYTES + 1)
    except zlib.error as error:
        raise PuzzleFileError(f"{path} is a damaged gzip file: {error}.") from error
    if len(plain) <= MAX_XML_BYTES and not unzip.eof:
        raise PuzzleFileError(f"{path} is a gzip file that breaks off.")
    return plain


def _parse(data: bytes, path: str) -> tuple[Element, frozenset[str]]:
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    open_elements: list[Element] = []
    saved_at = 0  # depth of the element with the saved solutions, 0 outside of it
    dropped: set[str] = set()
    number = passed_over = assemblies = 0
    root: Element | None = None
    try:
        events = iterparse(io.BytesIO(data), events=("start", "end"), forbid_dtd=True)
        for event, element in events:
            if event == "start":
                root = element if root is None else root
                open_elements.append(element)
                if not saved_at and element.tag == SAVED:
                    saved_at = len(open_elements)
                if len(open_elements) > (MAX_SAVED_DEPTH if saved_at else MAX_DEPTH):
                    raise PuzzleFileError(f"{path}: XML elements are nested too deeply.")
                continue
            open_elements.pop()
            saved_at = saved_at if len(open_elements) >= saved_at else 0
            number += element.tag in NEEDED
            if number > MAX_ELEMENTS:
                raise PuzzleFileError(f"{path} has more than {MAX_ELEMENTS} XML elements.")
            if element.tag not in NEEDED and open_elements:
                passed_over += 1
                if passed_over > MAX_DROPPED:
                    raise PuzzleFileError(f"{path} has more than {MAX_DROPPED} further elements.")
                assemblies += element.tag == ASSEMBLY
                wanted = assemblies <= MAX_ASSEMBLIES if element.tag == ASSEMBLY else len(element)
                if wanted and KEPT_WITHIN.get(element.tag) == open_elements[-1].tag:
                    continue
                dropped.add(element.tag)
                open_elements[-1].remove(element)
    except ParseError as error:
        line = error.position[0]
        raise PuzzleFileError(f"{path}, line {line}: this is not XML ({error}).") from error
    except (DefusedXmlException, LookupError, ValueError) as error:
        raise PuzzleFileError(
            f"{path} is refused: it declares a document type, entities or an unknown encoding, "
            "which no BurrTools file does."
        ) from error
    assert root is not None  # a document without an element is a ParseError
    return root, frozenset(dropped)


# Access to a file's elements, with errors that name what is missing or wrong.

LARGEST_NUMBER = 10**9


@dataclass(frozen=True, slots=True)
class Tree:
    """A file's elements; `where` starts every message."""

    root: Element
    where: str

    def only(self, parent: Element, tag: str) -> Element:
        """Return the one element of this name that `parent` must hold."""
        found = parent.findall(tag)
        if len(found) != 1:
            raise self.error(f"<{parent.tag}> must hold one <{tag}>, not {len(found)}")
        return found[0]

    def attribute(self, element: Element, key: str) -> str:
        """Return an attribute that must be there."""
        value = element.get(key)
        if value is None:
            raise self.error(f"<{element.tag}> lacks the attribute {key}")
        return value

    def number(self, element: Element, key: str, least: int, most: int) -> int:
        """Return an attribute that must be a number within bounds."""
        text = self.attribute(element, key)
        value = int_or(text, least - 1)
        if not least <= value <= most:
            raise self.error(
                f"{key} of <{element.tag}> must be a number from {least} to {most}, not {text!r}"
            )
        return value

    def error(self, message: str) -> PuzzleFileError:
        """Return an error that names the file."""
        return PuzzleFileError(f"{self.where}: {message.removesuffix('.')}.")


def int_or(text: str | None, otherwise: int) -> int:
    """Return the decimal number in a text of ordinary length, or `otherwise`."""
    number = whole_number(text, LARGEST_NUMBER) if text else None
    return otherwise if number is None else number
