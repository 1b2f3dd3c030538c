"""The rules for Linux name the brick as nxt-python looks for it, and its firmware-update mode."""

import re
from pathlib import Path

from nxt.backend import usb

RULES = Path(__file__).resolve().parents[2] / "docs" / "udev" / "70-lego-nxt.rules"
SAM_BA = (0x03EB, 0x6124)  # Atmel's AT91SAM7S, as it waits for a firmware
ASSIGNMENT = re.compile(r'[A-Z]+(?:\{\w+\})?(?:==|\+=|=)"[^"]+"')


def rules() -> list[str]:
    lines = RULES.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_the_rules_name_the_brick_in_both_modes() -> None:
    pattern = re.compile(r'ATTR\{idVendor\}=="(\w{4})", ATTR\{idProduct\}=="(\w{4})"')
    found = [pattern.search(rule) for rule in rules()]
    ids = [tuple(int(each, 16) for each in match.groups()) for match in found if match]
    assert ids == [(usb.ID_VENDOR_LEGO, usb.ID_PRODUCT_NXT), SAM_BA]


def test_every_rule_has_udevs_form_and_gives_access() -> None:
    for rule in rules():
        assert all(ASSIGNMENT.fullmatch(each) for each in rule.split(", ")), rule
        assert 'TAG+="uaccess"' in rule
    assert int(RULES.name.partition("-")[0]) < 73, "systemd gives access at 73"
