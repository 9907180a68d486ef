"""How Alembic runs a migration: on the connection that `connect.migrate` gives it."""

from alembic import context

from splendor.server.database.schema import metadata

config = getattr(context, "config", None)
if config is not None:  # which is there only while Alembic runs this file
    context.configure(connection=config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
    context.run_migrations()
