"""Meshes as binary STL files, and parts as 3MF files with names and colours."""

import io
import struct
import zipfile
from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from solvers.polycube.printing.parts import Part
from solvers.polycube.printing.solids import Mesh, Points

# Marshall Burns, Automated Fabrication (1993), section 6.5; lengths are millimetres by convention.
# The heading must not start with "solid", by which readers recognise text files.
HEADING: Final = b"puzzlerig, lengths in millimetres"
TRIANGLE: Final = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])


def to_stl(mesh: Mesh) -> bytes:
    """Return the file; STL knows neither names nor colours nor units."""
    corners = mesh.points[mesh.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(across, axis=1, keepdims=True)
    listed = np.zeros(len(corners), TRIANGLE)
    listed["corners"] = corners
    listed["normal"] = np.divide(across, length, out=np.zeros_like(across), where=length > 0)
    return HEADING.ljust(80) + struct.pack("<I", len(listed)) + listed.tobytes()


# 3MF: an object with name and colour for each piece, an item for each copy. 3MF Core Specification
# 1.3, https://github.com/3MFConsortium/spec_core: a zip file with a model in XML. Equal parts give
# equal bytes.

# The oldest date that zip files can have; the current time would make every file different.
NO_DATE: Final = (1980, 1, 1, 0, 0, 0)
XML: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
MODEL: Final = "3D/3dmodel.model"
CONTENT_TYPES: Final = (
    f'{XML}<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" '
    'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>'
    "</Types>"
)
RELATIONS: Final = (
    f'{XML}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Target="/{MODEL}" Id="model" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>'
    "</Relationships>"
)
COLOURS_ID: Final = 1


def to_3mf(parts: Sequence[Part], title: str) -> bytes:
    """Return the file; lengths are in millimetres."""
    file = io.BytesIO()
    model = "\n".join(_model(parts, title))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in (
            ("[Content_Types].xml", CONTENT_TYPES),
            ("_rels/.rels", RELATIONS),
            (MODEL, model),
        ):
            entry = zipfile.ZipInfo(name, NO_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(entry, text)
    return file.getvalue()


def _model(parts: Sequence[Part], title: str) -> Iterator[str]:
    objects = list(enumerate(parts, start=COLOURS_ID + 1))
    yield (
        f'{XML}<model unit="millimeter" xml:lang="en" '
        'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">'
    )
    yield f'<metadata name="Title">{escape(title)}</metadata>'
    yield f'<resources><basematerials id="{COLOURS_ID}">'
    for part in parts:
        yield f'<base name={quoteattr(part.name)} displaycolor="{part.colour}"/>'
    yield "</basematerials>"
    for number, part in objects:
        yield from _object(number, part)
    yield "</resources><build>"
    for number, part in objects:
        for place in part.places:
            # A matrix of four rows: no rotation, then the translation.
            yield f'<item objectid="{number}" transform="1 0 0 0 1 0 0 0 1 {_point(place)}"/>'
    yield "</build></model>"


def _object(number: int, part: Part) -> Iterator[str]:
    colour = f'pid="{COLOURS_ID}" pindex="{number - COLOURS_ID - 1}"'
    yield f'<object id="{number}" name={quoteattr(part.name)} type="model" {colour}>'
    yield "<mesh><vertices>"
    for point in part.mesh.points:
        x, y, z = _point(point).split()
        yield f'<vertex x="{x}" y="{y}" z="{z}"/>'
    yield "</vertices><triangles>"
    for a, b, c in part.mesh.triangles:
        yield f'<triangle v1="{a}" v2="{b}" v3="{c}"/>'
    yield "</triangles></mesh></object>"


def _point(place: Points) -> str:
    # Points of a mesh are multiples of FINEST_MM.
    return " ".join(f"{value:.4f}".rstrip("0").rstrip(".") for value in place)
