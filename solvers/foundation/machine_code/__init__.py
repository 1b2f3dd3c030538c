"""What is left of a kernel once it is compiled: machine code in a file, and how it is called."""
