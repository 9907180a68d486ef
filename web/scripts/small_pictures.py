"""Makes the pictures of the documentation small: 256 colors, chosen for each; and a film of its frames."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

PICTURES = Path(__file__).parents[2] / "docs" / "images"

FRAMES = PICTURES / "turn"
WIDTH = 740
PACE = 80  # milliseconds for each frame

frames = sorted(FRAMES.glob("*.png"))
if frames:
    film = []
    for frame in frames:
        with Image.open(frame) as picture:
            size = (WIDTH, picture.height * WIDTH // picture.width)
            film.append(picture.convert("RGB").resize(size, Image.Resampling.LANCZOS))
        frame.unlink()
    FRAMES.rmdir()
    first, *rest = film
    first.save(PICTURES / "turn.webp", save_all=True, append_images=rest, duration=PACE, loop=0, quality=60, method=6)

for file in sorted(PICTURES.glob("*.png")):
    with Image.open(file) as picture:
        if picture.mode != "P":
            picture.convert("RGB").quantize(256, kmeans=3, dither=Image.Dither.NONE).save(file, optimize=True)
