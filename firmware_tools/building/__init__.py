"""From C files to an image: the program's sources, the library, sdcc, and the build itself."""
