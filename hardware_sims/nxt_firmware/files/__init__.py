"""The brick's file system in its flash memory."""
