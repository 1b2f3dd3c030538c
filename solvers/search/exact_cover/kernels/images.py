"""What the symmetries of a problem make of solutions, compiled: solutions are many."""

from typing import Any

from solvers.foundation.compiled import kernel


@kernel(entry=True, error_model="numpy")
def compare_with_images(
    rows: Any, images: Any, pivot: int, marks: Any, smallest: Any, unchanged: Any
) -> None:
    """Compare solutions with their images under symmetries.

    `rows` has a solution a row, ascending and filled up with the number of options, `images` the
    image of every option, one row a symmetry. `unchanged` tells afterwards how many symmetries do
    not change each solution, `smallest` which solutions have no image that is smaller: one whose
    least option that is not common to both is less. With a `pivot`, an option, only images that
    take it are such; -1 for none. `marks` is room to work in, two rows of zeros, one column an
    option.
    """
    options = images.shape[1]
    for number in range(len(rows)):
        row = rows[number]
        length = 0
        while length < len(row) and row[length] < options:
            marks[0, row[length]] = 1
            length += 1
        smallest[number] = True
        unchanged[number] = 0
        for g in range(len(images)):
            gained = options
            for index in range(length):
                image = images[g, row[index]]
                marks[1, image] = 1
                if not marks[0, image]:
                    gained = min(gained, image)
            lost = options
            for index in range(length - 1, -1, -1):
                if not marks[1, row[index]]:
                    lost = row[index]
            counts = pivot < 0 or marks[1, pivot] != 0
            for index in range(length):
                marks[1, images[g, row[index]]] = 0
            if gained == options:
                unchanged[number] += 1
            elif gained < lost and counts:
                smallest[number] = False
        for index in range(length):
            marks[0, row[index]] = 0
