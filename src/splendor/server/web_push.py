"""Messages to browsers that are closed: encrypted for one of them (RFC 8291), and signed as ours (RFC 8292). Pure."""

from __future__ import annotations

import base64
import json
import os
import re
from fnmatch import fnmatchcase
from typing import NamedTuple
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
POINT, COORDINATE, AUTH, SALT = 65, 32, 16, 16  # bytes
RECORD = 4096  # bytes of a record of the encryption, of which there is one
ENDPOINT = re.compile(r"(?P<origin>https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?)/[!-\[\]-~]*")  # no name, no backslash
SIGNED_FOR = 12 * 3600.0  # seconds that a signature is good


class Subscription(NamedTuple):
    """Where a browser is told, and with which keys."""

    endpoint: str
    p256dh: bytes  # its public key
    auth: bytes  # what it shares with us


def encoded(data: bytes) -> str:
    """Bytes as the standards write them."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The opposite; raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def is_allowed(endpoint: str, services: tuple[str, ...]) -> bool:
    """Is this an address at one of these services, which are origins with `*` for a part of the name?

    >>> is_allowed("https://web.push.apple.com/Qx1", ("https://*.push.apple.com",))
    True
    >>> is_allowed("https://web.push.apple.com@10.0.0.1/Qx1", ("https://*.push.apple.com",))
    False
    """
    found = ENDPOINT.fullmatch(endpoint)
    return found is not None and any(fnmatchcase(found["origin"].lower(), service) for service in services)


def new_key() -> str:
    """A private key of our own."""
    return encoded(ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(COORDINATE))


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """A key as it is stored."""
    return ec.derive_private_key(int.from_bytes(decoded(text)), CURVE)


def public_point(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public key of a private one."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def is_point(data: bytes) -> bool:
    """Is this the public key of a browser?"""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)
    except ValueError:
        return False
    return len(data) == POINT


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def encrypted(
    text: bytes, to: Subscription, *, sender: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """A message that only this browser can read; sender and salt are new each time, apart from tests."""
    sender, salt = sender or ec.generate_private_key(CURVE), salt or os.urandom(SALT)
    ours = public_point(sender)
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to.p256dh))
    secret = _derived(shared, to.auth, b"WebPush: info\0" + to.p256dh + ours, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4) + bytes([POINT]) + ours
    return head + AESGCM(key).encrypt(nonce, text + b"\x02", None)


def authorization(endpoint: str, key: ec.EllipticCurvePrivateKey, contact: str, now: float) -> str:
    """The header that says who sends: a token for the service, signed with our key."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now + SIGNED_FOR), "sub": contact}
    signed = ".".join(encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    signature = encoded(r.to_bytes(COORDINATE) + s.to_bytes(COORDINATE))
    return f"vapid t={signed}.{signature}, k={encoded(public_point(key))}"
