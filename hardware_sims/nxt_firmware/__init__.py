"""What the modules of the brick and its virtual machine share: I/O maps, status codes, files."""
