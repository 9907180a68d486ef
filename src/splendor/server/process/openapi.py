"""Print the OpenAPI document, for generating types without a running server.

python -m splendor.server.process.openapi
"""

from __future__ import annotations

import json
import sys

from splendor.server.process.app import create_app
from splendor.server.routes.openapi import document

if __name__ == "__main__":
    json.dump(document(create_app()), sys.stdout, indent=1)
