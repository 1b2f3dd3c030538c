"""The Puzzles page: packing, tiles, cards and sliding boards, and their searches."""
