"""Whether and how the pieces of a solution go together by hand."""
