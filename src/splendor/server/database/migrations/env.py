"""How Alembic runs a migration: on the connection that `connect.migrate` gives it."""

from alembic import context

from splendor.server.database.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
