"""What is measured on one owner's machine."""
