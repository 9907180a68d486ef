"""Makes the pictures of the documentation small: 256 colors, chosen for each picture."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

PICTURES = Path(__file__).parents[2] / "docs" / "images"

for file in sorted(PICTURES.glob("*.png")):
    with Image.open(file) as picture:
        if picture.mode != "P":
            picture.convert("RGB").quantize(256, kmeans=3, dither=Image.Dither.NONE).save(file, optimize=True)
