"""Links that are pasted somewhere: what the page says of itself, a picture of the position, and a viewer to embed.

Of a private table, or one that may not be watched, neither a name nor a position is told: whoever reads a link in
passing is not who it was given to.
"""

from __future__ import annotations

import re
from html import escape
from typing import Annotated, Literal
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, Response

from splendor.game import showing
from splendor.server import messages as m
from splendor.server.config import Settings
from splendor.server.database.connect import STORAGE_ERRORS
from splendor.server.live.gallery import key_of
from splendor.server.live.service import Service
from splendor.server.pictures import games
from splendor.server.pictures.board import HEIGHT, WIDTH
from splendor.server.pictures.captions import caption_of, is_for_all, language_of, names_at
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Calling, Serving
from splendor.server.tables.table import OnlineTable

router = APIRouter(prefix="/api", tags=["sharing"])

PAGE = re.compile(r"/?(?P<kind>t|replay|review|embed)/(?P<id>[\w-]{22})/?")
VIEWER_WIDTH, VIEWER_HEIGHT = 800, 600  # of the embedded viewer, if nothing else is asked for
LEAST_WIDTH, LEAST_HEIGHT = 300, 320
FRESH = 60  # seconds for which the picture of a running game is good
KEPT = 86_400  # and that of a finished one
OPEN = {"access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin"}  # for pages anywhere

Step = Annotated[int | None, Query(ge=0, le=1000, description="after so many turns, of a game that is over")]
Language = Literal["en", "de", "nl", "nb"]


def origin_of(request: Request, settings: Settings) -> str:
    """Where this server is reached from outside."""
    return settings.origins[0] if settings.origins else f"{request.url.scheme}://{request.url.netloc}"


@router.get("/pictures/{table}.png", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def picture(
    table: m.TableId,
    request: Request,
    caller: Calling,
    service: Serving,
    step: Step = None,
    lang: Language = "en",
) -> Response:
    """A public table or game as a picture of 1200 by 630, as a spectator sees it; of any other one that shows none."""
    shown = await service.hub.table(table)
    is_over = shown.status == "over"
    work: tuple[object, ...]
    if not is_for_all(shown):
        work = (games.of_board, None, ())
    elif is_over and step is not None and step < shown.turn:
        work = (games.of_record, await service.archive.record(table), step, names_at(shown, lang))
    else:
        work = (games.of_board, showing.board(shown.state, None, shown.turn), names_at(shown, lang))
    key = key_of(service.build, work[0].__name__, *work[1:])
    headers = {"cache-control": f"public, max-age={KEPT if is_over else FRESH}", "etag": f'"{key}"', **OPEN}
    if key in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    drawn = await service.gallery.find(key)
    if drawn is None:
        service.limits.spend("picture", caller.network)
        drawn = await service.gallery.make(key, caller.asker, *work)
    return Response(drawn, media_type="image/png", headers=headers)


@router.get("/oembed", response_model=m.Embedding)
async def oembed(
    request: Request,
    _: Calling,
    service: Serving,
    url: Annotated[str, Query(max_length=500, description="of a replay")],
    maxwidth: Annotated[int, Query(ge=1)] = VIEWER_WIDTH,
    maxheight: Annotated[int, Query(ge=1)] = VIEWER_HEIGHT,
    format: Literal["json"] = "json",  # noqa: ARG001 - the only one there is
) -> Response:
    """What a page needs to embed a finished public game: see oembed.com."""
    asked = urlsplit(url)
    found = PAGE.fullmatch(asked.path)
    origin = origin_of(request, service.settings)
    if found is None or f"{asked.scheme}://{asked.netloc}" not in (origin, *service.settings.origins):
        raise RequestRefused("not_found")
    table = await service.hub.table(found["id"])
    if table.status != "over" or not is_for_all(table):
        raise RequestRefused("not_allowed")
    width, height = min(max(maxwidth, LEAST_WIDTH), VIEWER_WIDTH), min(max(maxheight, LEAST_HEIGHT), VIEWER_HEIGHT)
    title = caption_of(table, language_of(request.headers.get("accept-language", ""))).title
    frame = (
        f'<iframe src="{origin}/embed/{table.id}" width="{width}" height="{height}" title="{escape(title)}" '
        'style="border:0" loading="lazy" allowfullscreen></iframe>'
    )
    answer = m.Embedding(
        title=title,
        provider_url=origin,
        html=frame,
        width=width,
        height=height,
        thumbnail_url=f"{origin}/api/pictures/{table.id}.png",
        thumbnail_width=WIDTH,
        thumbnail_height=HEIGHT,
    )
    return JSONResponse(answer.model_dump(), headers=OPEN)


# ------------------------------------------------------------------------------------------- the head of a page


async def head_of(request: Request, service: Service) -> str | None:
    """The tags that a page has for whoever shows its link; None for a page that is like any other."""
    found = PAGE.fullmatch(request.url.path)
    if found is None:
        return None
    try:
        table = await service.hub.table(found["id"])
    except (RequestRefused, *STORAGE_ERRORS):  # the page itself says what is the matter
        return None
    language = language_of(request.headers.get("accept-language", ""))
    step = request.query_params.get("step", "")
    return tags(
        table, language, origin_of(request, service.settings), int(step) if re.fullmatch(r"\d{1,4}", step) else None
    )


def tags(table: OnlineTable, language: str, origin: str, step: int | None) -> str:
    """Title, text and picture of a table: Open Graph, which all read, with Twitter's word for a large picture."""
    caption = caption_of(table, language)
    is_shown, is_over = is_for_all(table), table.status == "over"
    page = f"{origin}/{'replay' if is_over else 't'}/{table.id}"
    at = step if is_over and step is not None else table.turn
    image = f"{origin}/api/pictures/{table.id}.png?step={at}&lang={language}"
    named = {
        "og:site_name": "Splendor",
        "og:type": "website",
        "og:title": caption.title,
        "og:description": caption.text,
        "og:url": page,
        "og:image": image,
        "og:image:type": "image/png",
        "og:image:width": WIDTH,
        "og:image:height": HEIGHT,
        "og:image:alt": caption.title,
    }
    lines = [f"<title>{escape(caption.title)}</title>"]
    lines += [f'<meta property="{name}" content="{escape(str(value))}" />' for name, value in named.items()]
    lines += [
        f'<meta name="description" content="{escape(caption.text)}" />',
        '<meta name="twitter:card" content="summary_large_image" />',
    ]
    if not is_shown:
        lines.append('<meta name="robots" content="noindex" />')
    elif is_over:
        asked = escape(f"{origin}/api/oembed?format=json&url={quote(page, safe='')}")
        lines.append(f'<link rel="alternate" type="application/json+oembed" href="{asked}" />')
    return "\n    ".join(lines)
