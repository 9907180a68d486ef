"""Addresses as limits count them: whoever has one IPv6 address has a network of 2^64 of them."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

ONE_CUSTOMER = 64  # bits of an IPv6 address that are given to one customer; the others are the customer's own


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """An IPv4 address as it is, an IPv6 address as its /64; what is no address counts as itself.

    >>> network_of("203.0.113.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:203.0.113.7")
    ('203.0.113.7', '2001:db8:1:2::/64', '203.0.113.7')
    """
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is not None:
            return str(known.ipv4_mapped)
        return str(ipaddress.ip_network((int(known), ONE_CUSTOMER), strict=False))
    return str(known)
