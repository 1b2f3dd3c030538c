"""What every command line shares: exit codes, `--json`, errors as sentences, progress on stderr."""
