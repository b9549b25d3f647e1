"""Readers of the formats in which people send and keep documents."""

from functools import partial

from bot.plugin.plugin import NoSettings, Plugin
from bot.plugin.readers import FileReader, Holds
from bot.plugins.document_formats.kinds import kind_of

_reader = partial(FileReader, recognise=kind_of)
_HERE = "bot.plugins.document_formats"


class DocumentFormats(Plugin[NoSettings]):
    name = "document_formats"
    title = "reading PDF, office documents, pictures, mails and archives"
    readers = (
        _reader(f"{_HERE}.pdf:read_pdf", kind="pdf", title="PDF"),
        _reader(f"{_HERE}.office:read_docx", kind="docx", title="Word"),
        _reader(f"{_HERE}.office:read_xlsx", kind="xlsx", title="Excel"),
        _reader(f"{_HERE}.office:read_pptx", kind="pptx", title="PowerPoint"),
        _reader(f"{_HERE}.packed:read_odt", kind="odt", title="OpenDocument"),
        _reader(f"{_HERE}.packed:read_ods", kind="ods"),
        _reader(f"{_HERE}.packed:read_odp", kind="odp"),
        _reader(f"{_HERE}.texts:read_rtf", kind="rtf", title="RTF"),
        _reader(f"{_HERE}.packed:read_epub", kind="epub", title="EPUB"),
        # What is attached to a mail may be a picture from a phone, as below.
        _reader(
            f"{_HERE}.mail:read_eml", kind="eml", title="mail", holds=Holds.MARKUP, megabytes=512
        ),
        _reader(f"{_HERE}.texts:read_html", kind="html", title="HTML", holds=Holds.MARKUP),
        _reader(f"{_HERE}.pictures:read_picture", kind="picture", holds=Holds.PICTURE),
        # Phones make HEIC photos of 48 megapixels, and their decoder holds one twice, unpacked.
        _reader(f"{_HERE}.pictures:read_picture", kind="heic", holds=Holds.PICTURE, megabytes=512),
        _reader(f"{_HERE}.archives:read_archive", kind="archive", holds=Holds.FILES),
        _reader(f"{_HERE}.bounds:read_old", kind="old"),
    )
