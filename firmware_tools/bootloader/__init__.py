"""Boot-loader protocols of docs/bootloader.md: frames as bytes, sessions over any byte link."""
