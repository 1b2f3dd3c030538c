"""The Board page: an AKSEN board, its programs and its console."""
