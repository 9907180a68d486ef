"""The steps from an older database to the present schema, in order; none of them is ever changed."""
