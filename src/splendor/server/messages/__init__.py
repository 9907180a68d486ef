"""Every message that passes between the server and a browser or program: one small type each, by topic.

The server sends codes and parameters, never sentences. What a viewer is shown is built in `tables.viewers`
and `game.showing` alone. `docs/api.md` has an example of each.
"""

# The package offers whatever its topics define, and the plain data of a board.
from splendor.game.shown import *  # noqa: F403
from splendor.server.messages.archive import *  # noqa: F403
from splendor.server.messages.basics import *  # noqa: F403
from splendor.server.messages.board import *  # noqa: F403
from splendor.server.messages.chat import *  # noqa: F403
from splendor.server.messages.commands import *  # noqa: F403
from splendor.server.messages.events import *  # noqa: F403
from splendor.server.messages.news import *  # noqa: F403
from splendor.server.messages.people import *  # noqa: F403
from splendor.server.messages.public_events import *  # noqa: F403
from splendor.server.messages.reviews import *  # noqa: F403
from splendor.server.messages.tables import *  # noqa: F403
