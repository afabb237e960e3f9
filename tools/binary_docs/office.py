"""What python-docx leaves out (footnotes, tracked changes, page fields), and office files with fixed bytes."""

import io
import re
import zipfile
from datetime import date, datetime

from docx import Document
from docx.document import Document as DocumentObject
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.text.paragraph import Paragraph

from tools.binary_docs.pages import AUTHOR

_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")
_FOOTNOTES_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
# Parts of the default template that say nothing about the text: a picture and old printer settings.
_LEFT_OUT = ("docProps/thumbnail.jpeg", "word/stylesWithEffects.xml")


def new_document(title: str, day: date) -> DocumentObject:
    """Return an empty Word document with its properties set."""
    document = Document()
    styles = document.styles
    for style in list(styles):
        # The default template has a hundred styles of tables, which are most of its bytes.
        if style.type == WD_STYLE_TYPE.TABLE and style.name not in ("Normal Table", "Table Grid"):
            style.delete()
    properties = document.core_properties
    properties.title, properties.author, properties.last_modified_by = title, AUTHOR, AUTHOR
    properties.created = properties.modified = datetime(day.year, day.month, day.day, 8)
    properties.comments, properties.revision = "", 1
    return document


def saved(document: DocumentObject, day: date) -> bytes:
    """Return the bytes of a Word document."""
    for relationships in (document.part.package.rels, document.part.rels):
        for name, relationship in list(relationships.items()):
            if not relationship.is_external and relationship.target_part.partname.lstrip("/") in _LEFT_OUT:
                del relationships[name]
    buffer = io.BytesIO()
    document.save(buffer)
    return settled(buffer.getvalue(), day)


def settled(data: bytes, day: date) -> bytes:
    """Write a zip again with one date for every part, uncompressed, and with that date as last change."""
    buffer = io.BytesIO()
    stamp = (day.year, day.month, day.day, 8, 0, 0)
    changed = rb"\g<1>" + f"{day.isoformat()}T08:00:00Z".encode()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "docProps/core.xml":
                part = _MODIFIED.sub(changed, part)
            info = zipfile.ZipInfo(name, stamp)
            info.create_system, info.external_attr = 3, 0o644 << 16
            new.writestr(info, part)
    return buffer.getvalue()


def add_footnotes(document: DocumentObject, texts: list[str]) -> None:
    """Add the part that holds footnotes 1, 2, ... behind the two that Word wants for its rules."""
    rules = "".join(
        f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{mark}/></w:r></w:p></w:footnote>'
        for number, kind, mark in (
            (-1, "separator", "separator"),
            (0, "continuationSeparator", "continuationSeparator"),
        )
    )
    notes = "".join(
        f'<w:footnote w:id="{number}"><w:p><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
        f'<w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> {text}</w:t></w:r></w:p></w:footnote>'
        for number, text in enumerate(texts, 1)
    )
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    blob = f"{head}<w:footnotes {nsdecls('w')}>{rules}{notes}</w:footnotes>".encode()
    part = Part(PackURI("/word/footnotes.xml"), _FOOTNOTES_TYPE, blob, document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)


def footnote(paragraph: Paragraph, number: int) -> None:
    """Refer to a footnote at the end of a paragraph."""
    run = paragraph.add_run()
    run.font.superscript = True
    reference = OxmlElement("w:footnoteReference")
    reference.set(qn("w:id"), str(number))
    run._r.append(reference)


def change(paragraph: Paragraph, number: int, day: date, *, old: str = "", new: str = "") -> None:
    """Add a change that nobody has accepted yet: words taken out, words put in, or both."""
    by = f'w:id="{number}" w:author="Legal department" w:date="{day.isoformat()}T08:00:00Z"'
    for tag, text_tag, text in (("del", "delText", old), ("ins", "t", new)):
        if text:
            paragraph._p.append(
                parse_xml(
                    f'<w:{tag} {nsdecls("w")} {by}><w:r><w:{text_tag} xml:space="preserve">{text}'
                    f"</w:{text_tag}></w:r></w:{tag}>"
                )
            )


def page_field(paragraph: Paragraph) -> None:
    """Add the number of the page, which Word fills in."""
    paragraph._p.append(
        parse_xml(f'<w:fldSimple {nsdecls("w")} w:instr="PAGE"><w:r><w:t>1</w:t></w:r></w:fldSimple>')
    )
