"""Pictures as a model takes them: turned upright, shrunk, without what the camera noted."""

import io
from functools import partial
from typing import Any, cast

from bot.plugin.readers import FoundText, Picture, ReadingLimits, UnreadableDocument

EDGE = 1_568
"""Pixels of the longer side: more is shrunk by the model's server in any case."""
MOST_PIXELS = 40_000_000
_LARGER = {"JPEG": 100_000_000, "MPO": 100_000_000, "HEIF": 50_000_000, "AVIF": 50_000_000}
"""JPEG is shrunk while it is unpacked; phones make HEIC photos of 48 megapixels."""
MOST_BYTES = 3_500_000
"""Of the result; base64 makes a third more of it, and 5 MB are refused."""
_PNG_BYTES = 900_000
"""Larger ones become JPEG. Screenshots and drawings mostly stay."""
_FORMATS = ("PNG", "JPEG", "MPO", "GIF", "WEBP", "BMP", "TIFF", "AVIF", "HEIF", "ICO")
NO_HEIF = (
    "it is a HEIC picture, which only the extra `heif` of Bellhop reads; they can send it as JPEG"
)


def read_picture(data: bytes, limits: ReadingLimits) -> FoundText:
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415 - few PDFs need it

    if not limits.whole:
        raise UnreadableDocument("it is a picture, and has no text that could be searched")
    Image.MAX_IMAGE_PIXELS = None  # checked below, in words for the person
    Image.init()
    heif = _with_heif()
    try:
        image = Image.open(io.BytesIO(data), formats=[one for one in _FORMATS if one in Image.OPEN])
        photo = image.format == "JPEG"
        most = _LARGER.get(image.format or "", MOST_PIXELS)
        if image.width * image.height > most:
            raise UnreadableDocument(
                f"it has {image.width * image.height // 1_000_000:,} megapixels and the most is "
                f"{most // 1_000_000}"
            )
        size, animated = image.size, bool(getattr(image, "is_animated", False))
        if photo:
            wide, high = (2 * EDGE * side // max(size) for side in size)
            image.draft("RGB", (wide, high))
        image.load()  # some turn themselves upright while they are loaded
        image = ImageOps.exif_transpose(small(image))
    except UnidentifiedImageError as error:
        if data[4:8] == b"ftyp" and not heif:
            raise UnreadableDocument(NO_HEIF) from error
        raise UnreadableDocument("it is damaged, or no picture of a known kind") from error
    except (OSError, SyntaxError, ValueError) as error:
        raise UnreadableDocument("it is damaged") from error
    turned = (image.width > image.height) != (size[0] > size[1])
    wide, high = reversed(size) if turned else size
    note = f"{wide} x {high} pixels" + (", animated: its first frame" if animated else "")
    return FoundText((), note, [shrunk(image, "", keep_png=not photo)])


def _with_heif() -> bool:
    try:
        import pillow_heif  # noqa: PLC0415 - an extra
    except ImportError:
        return False
    cast("Any", pillow_heif).register_heif_opener()
    return True


def small(image: Any) -> Any:
    """The picture at the size for models: first of all, so that every copy is a small one."""
    if image.mode.startswith(("I", "F")):
        low, high = image.getextrema()
        scale = 255 / max(high - low, 1)
        image = image.convert("F").point(partial(_scaled, low, scale)).convert("L")
    elif image.mode in {"1", "P", "PA"}:  # colours of a palette can't be mixed
        image = image.convert("L" if image.mode == "1" else "RGBA")
    image.thumbnail((EDGE, EDGE))
    return image


def shrunk(image: Any, what: str, *, keep_png: bool = False) -> Picture:
    """An opened picture of Pillow within the limits of models."""
    from PIL import Image  # noqa: PLC0415 - few PDFs need it

    image = small(image)
    if image.mode in {"RGBA", "LA"} or "transparency" in image.info:
        image = image.convert("RGBA")
        white = Image.new("RGB", image.size, "white")
        white.paste(image, mask=image.getchannel("A"))
        image = white
    image = image.convert("RGB")
    if keep_png and (data := _saved(image, "PNG", optimize=True)) and len(data) <= _PNG_BYTES:
        return Picture("image/png", data, what)
    data = _saved(image, "JPEG", quality=85)
    while len(data) > MOST_BYTES:
        image.thumbnail((image.width * 3 // 4, image.height * 3 // 4))
        data = _saved(image, "JPEG", quality=75)
    return Picture("image/jpeg", data, what)


def _saved(image: Any, form: str, **options: Any) -> bytes:
    made = io.BytesIO()
    image.save(made, form, **options)
    return made.getvalue()


def _scaled(low: float, scale: float, value: Any) -> Any:
    """Pillow calls it with a linear expression instead of a number."""
    return value * scale + -low * scale
