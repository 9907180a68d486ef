"""Messages to browsers that are closed: to whom, about what, encrypted, and to no other address than is meant.

A push service of our own takes them by HTTP and reads them with the keys of the browser, as a browser would.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.clients import PATIENCE, Client, Json
from server.process import Server, free_port
from splendor.server.config import PUSH_SERVICES
from splendor.server.web_push import CURVE, Subscription, decoded, encoded, encrypted, is_allowed, public_point

pytestmark = pytest.mark.compiled_only

DAYS = {"kind": "days", "days": 2}


class Browser:
    """The keys of a browser, which reads what is sent to it."""

    def __init__(self, private: ec.EllipticCurvePrivateKey | None = None, auth: bytes = b"sixteen bytes ok") -> None:
        self.private, self.auth = private or ec.generate_private_key(CURVE), auth

    @property
    def public(self) -> bytes:
        return public_point(self.private)

    def subscription(self, endpoint: str) -> Json:
        return {"endpoint": endpoint, "p256dh": encoded(self.public), "auth": encoded(self.auth), "language": "de"}

    def read(self, body: bytes) -> bytes:
        salt, size, ours, sealed = body[:16], body[20], body[21:86], body[86:]
        assert size == len(ours)
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, ours))
        secret = HKDF(SHA256(), 32, self.auth, b"WebPush: info\0" + self.public + ours).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        text = AESGCM(key).decrypt(nonce, sealed, None)
        assert text.endswith(b"\x02")
        return text[:-1]


class PushService:
    """Takes messages by HTTP, and answers with a status."""

    def __init__(self) -> None:
        self.port = free_port()
        self.status = 201
        self.taken: asyncio.Queue[tuple[str, dict[str, str], bytes]] = asyncio.Queue()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers["content-length"]))
        writer.write(f"HTTP/1.1 {self.status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode())
        await writer.drain()
        writer.close()
        await self.taken.put((head[0], headers, body))

    async def next(self) -> tuple[str, dict[str, str], bytes]:
        async with asyncio.timeout(PATIENCE):
            return await self.taken.get()


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    found = PushService()
    server = await asyncio.start_server(found.serve, "127.0.0.1", found.port)
    yield found
    server.close()


@pytest.fixture
async def telling(service: PushService, tmp_path: Path) -> AsyncIterator[Callable[[], object]]:
    """People at a server that tells them by this service."""
    services = f"{service.url},http://*.push.invalid"
    with Server(tmp_path, push_services=services, computers=1) as server:
        async with AsyncExitStack() as stack:

            async def new() -> Client:
                return await (await stack.enter_async_context(Client(server.url))).guest()

            yield new


def signature_is_good(header: str, audience: str, key: bytes) -> None:
    token, _, ours = header.removeprefix("vapid t=").partition(", k=")
    assert decoded(ours) == key
    signed, _, signature = token.rpartition(".")
    raw = decoded(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, key)
    public.verify(der, signed.encode(), ec.ECDSA(SHA256()))
    assert json.loads(decoded(signed.split(".")[1]))["aud"] == audience


async def test_whose_turn_it_is_at_a_game_by_days_is_told_until_the_browser_is_gone(
    telling: Callable[[], object], service: PushService
) -> None:
    ann, bob = await telling(), await telling()  # type: ignore[misc]
    browser = Browser()
    await bob.ask("POST", "/api/push", browser.subscription(f"{service.url}/of/bob"), 204)
    key = decoded((await bob.ask("GET", "/api/push"))["key"])
    quick = (await ann.make("me", "open"))["id"]  # of which nobody is told
    await bob.join(quick)
    await ann.play_first(quick)
    table = (await ann.make("me", "open", clock=DAYS))["id"]
    await bob.join(table)
    await ann.play_first(table)
    line, headers, body = await service.next()
    assert line == "POST /of/bob HTTP/1.1"
    assert headers["topic"] == table
    assert headers["content-encoding"] == "aes128gcm"
    assert 2 * 86_400 - 600 < int(headers["ttl"]) <= 2 * 86_400
    signature_is_good(headers["authorization"], service.url, key)
    told = json.loads(browser.read(body))
    number = (await ann.ask("GET", "/api/me"))["person"]["guest"]
    assert (told["kind"], told["table"], told["others"], told["language"]) == ("turn", table, [f"Gast {number}"], "de")
    assert await subscribed(bob) == [f"{service.url}/of/bob"]
    service.status = 410
    await bob.play_first(table)
    await ann.play_first(table)
    await service.next()
    async with asyncio.timeout(PATIENCE):
        while await subscribed(bob):
            await asyncio.sleep(0.05)
    assert service.taken.empty()


async def subscribed(client: Client) -> list[str]:
    data = await client.ask("GET", "/api/account/data")
    return [one["endpoint"] for one in data["subscriptions"]]


async def test_a_browser_that_signs_out_is_not_told(telling: Callable[[], object], service: PushService) -> None:
    ann, bob = await telling(), await telling()  # type: ignore[misc]
    for person in (ann, bob):
        await person.ask("POST", "/api/push", Browser().subscription(f"{service.url}/of/{person.id}"), 204)
    table = (await ann.make("me", "open", clock=DAYS))["id"]
    await bob.join(table)
    assert (await service.next())[0] == f"POST /of/{ann.id} HTTP/1.1"
    await bob.ask("DELETE", "/api/push", status=204)
    assert await subscribed(bob) == []
    await bob.ask("POST", "/api/push", Browser().subscription(f"{service.url}/of/bob"), 204)
    cookies = bob.http.cookies
    await bob.ask("POST", "/api/logout", status=204)
    assert not cookies
    await ann.play_first(table)
    await ann.ask("POST", "/api/push", Browser().subscription(f"{service.url}/once-more"), 204)
    other = (await ann.make("me", {"kind": "device"}, clock=DAYS))["id"]
    line, headers, _ = await service.next()
    assert (line, headers["topic"]) == ("POST /once-more HTTP/1.1", other), "nothing went to who signed out"


@pytest.mark.parametrize("host", ["xn--a", "nobody"])
async def test_an_address_that_cannot_be_asked_silences_nobody(
    telling: Callable[[], object], service: PushService, host: str
) -> None:
    ann, bob = await telling(), await telling()  # type: ignore[misc]
    await ann.ask("POST", "/api/push", Browser().subscription(f"http://{host}.push.invalid/x"), 204)
    await bob.ask("POST", "/api/push", Browser().subscription(f"{service.url}/of/bob"), 204)
    for _ in range(6):  # more than send at a time
        table = (await ann.make("me", "open", clock=DAYS))["id"]
        await bob.join(table)
        first, then = (ann, bob) if (await ann.look(table))["moves"] else (bob, ann)
        await first.play_first(table)
        await then.play_first(table)
        assert (await service.next())[0] == "POST /of/bob HTTP/1.1"
        while not service.taken.empty():
            await service.next()


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com@127.0.0.1/x",
        "https://user:word@fcm.googleapis.com/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://169.254.169.254/latest",
        "file:///etc/passwd",
        "https://evil.example/web.push.apple.com",
        "https://evil.example#.push.apple.com",
        "https://evil.example?.push.apple.com",
        "https://evil.example\\.push.apple.com/x",
        "https://[",
    ],
)
def test_no_other_address_than_that_of_a_push_service_is_asked(endpoint: str) -> None:
    assert not is_allowed(endpoint, PUSH_SERVICES)


def test_the_push_services_of_browsers_are_known() -> None:
    for endpoint in (
        "https://fcm.googleapis.com/fcm/send/x",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://web.push.apple.com/Qx",
        "https://db5p.notify.windows.com/w/?token=x",
    ):
        assert is_allowed(endpoint, PUSH_SERVICES)


async def test_what_is_no_subscription_is_refused(telling: Callable[[], object], service: PushService) -> None:
    ann = await telling()  # type: ignore[misc]
    good = Browser().subscription(f"{service.url}/x")
    for change, code in (
        ({"endpoint": "https://elsewhere.example/x"}, "unknown_push_service"),
        ({"p256dh": encoded(b"\x04" + bytes(64))}, "bad_subscription"),
        ({"p256dh": "!"}, "bad_subscription"),
        ({"auth": encoded(b"short")}, "bad_subscription"),
    ):
        assert await ann.refusal("POST", "/api/push", {**good, **change}) == code


def test_the_example_of_rfc_8291() -> None:
    private = ec.derive_private_key(int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")), CURVE)
    sender = ec.derive_private_key(int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), CURVE)
    browser = Browser(private, decoded("BTBZMqHH6r4Tts7J_aSIgg"))
    to = Subscription("", browser.public, browser.auth)
    text = b"When I grow up, I want to be a watermelon"
    sealed = encrypted(text, to, sender=sender, salt=decoded("DGv6ra1nlYgDCS1FRnbzlw"))
    assert encoded(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3j"
        "l7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert browser.read(sealed) == text
