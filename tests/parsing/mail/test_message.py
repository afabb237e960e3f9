"""Mail: headers, the body once, attachments, encodings, and what is no mail."""

from contextlib import suppress
from datetime import date
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit import UnreadableDocument
from rag_kit.parsing.mail import parse_eml


def mail(text="The fee is 5 €.", subject="Fees", **headers):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Ada <ada@a.example>", "bob@b.example", subject
    for name, value in headers.items():
        message[name] = value
    if text is not None:
        message.set_content(text)
    return message


def read(message, path="sub/fees.eml"):
    data = message if isinstance(message, bytes) else message.as_bytes()
    return parse_eml(data, source_uri=f"docs/{path}", relative_path=path)


def codes(document):
    return [notice.code for notice in document.notices]


def test_a_mail_is_its_subject_its_headers_and_its_body():
    document = read(
        mail(
            "Hello,\n\nthe fee is 5 €.\n\n> is it 6?\n",
            Date="Wed, 04 Mar 2026 09:30:00 +0100",
            Cc="c@c.example",
        )
    )
    assert document.text == (
        "# Fees\n\nFrom: Ada <ada@a.example>\nTo: bob@b.example\nCc: c@c.example\nDate: 2026-03-04 09:30+01:00\n\n"
        "Hello,\n\nthe fee is 5 €.\n\n> is it 6?"
    )
    assert (document.title, document.updated_at) == ("Fees", date(2026, 3, 4))
    assert {block.heading_path for block in document.blocks} == {("Fees",)}


def test_of_alternatives_the_plain_text_is_read_once():
    message = mail("The fee is 5.")
    message.add_alternative("<p>The fee is <b>5</b>.</p>", subtype="html")
    assert read(message).text.count("fee is") == 1


@pytest.mark.parametrize("plain", ["", " \n "])
def test_a_page_is_read_where_the_plain_text_is_empty_or_missing(plain):
    page = "<h1>Prices</h1><p>Net.</p><table><tr><th>Plan<th>Fee<tr><td>Pro<td>5</table><script>x</script>"
    message = mail(plain)
    message.add_alternative(page, subtype="html")
    alone = mail(None)
    alone.set_content(page, subtype="html")
    for each in (message, alone):
        assert [(block.block_type, block.heading_path) for block in read(each).blocks] == [
            ("title", ("Fees",)), ("paragraph", ("Fees",)), ("title", ("Fees", "Prices")),
            ("paragraph", ("Fees", "Prices")), ("table", ("Fees", "Prices")),
        ]  # fmt: skip
        assert read(each).text.endswith("## Prices\n\nNet.\n\n| Plan | Fee |\n| --- | --- |\n| Pro | 5 |")


def test_attached_texts_are_sections_and_other_files_are_named():
    message = mail("See the list.")
    message.add_attachment(b"Plan;Fee\nPro;5\n", maintype="text", subtype="csv", filename="prices.csv")
    message.add_attachment("# Terms\n\nPay.\n", subtype="markdown", filename="terms.md")
    message.add_attachment(b"%PDF-1", maintype="application", subtype="pdf", filename="Gebühren.pdf")
    document = read(message)
    assert document.text.endswith(
        "See the list.\n\n- Attached: prices.csv (15 bytes)\n- Attached: terms.md (14 bytes)\n"
        "- Attached: Gebühren.pdf (6 bytes)\n\n"
        "## prices.csv\n\n| Plan | Fee |\n| --- | --- |\n| Pro | 5 |\n\n## terms.md\n\n### Terms\n\nPay."
    )
    assert document.blocks[-1].heading_path == ("Fees", "terms.md", "Terms")
    (notice,) = document.notices
    assert notice.code == "attachment_not_read"
    assert "Gebühren.pdf" in notice.message


def test_a_text_that_cannot_be_decoded_is_named_and_the_mail_is_read():
    message = mail()
    message.add_attachment(b"\x81\x00\x00\x8d", maintype="text", subtype="plain", filename="odd.txt")
    assert codes(read(message)) == ["attachment_not_read"]


def test_a_mail_in_a_mail_is_a_section():
    message = mail("See below.")
    message.add_attachment(mail("Inner words.", "Inner"))
    document = read(message)
    assert document.blocks[-1].heading_path == ("Fees", "Inner")
    assert document.text.endswith("## Inner\n\nFrom: Ada <ada@a.example>\nTo: bob@b.example\n\nInner words.")
    assert not document.notices


HEAD = b"From: a@a.example\nSubject: %s\nContent-Type: text/plain%s\n%s\n%s"


@pytest.mark.parametrize(
    ("subject", "charset", "encoding", "body", "words"),
    [
        (b"=?iso-8859-1?Q?Geb=FChr?=", b"; charset=iso-8859-1", b"", "Gebühr 5".encode("latin-1"), "Gebühr 5"),
        (b"=?utf-8?B?R2Viw7xocg==?=", b"; charset=utf-8", b"", "Gebühr".encode(), "Gebühr"),
        ("Gebühr".encode(), b"", b"", "Gebühr".encode(), "Gebühr"),
        ("Gebühr".encode("latin-1"), b"; charset=us-ascii", b"", "Gebühr".encode(), "Gebühr"),
        ("Gebühr".encode(), b"; charset=x-unknown", b"", "Die Gebühr für Größe".encode("cp1252"),
         "Die Gebühr für Größe"),
        ("Gebühr".encode(), b"; charset=utf-8", b"Content-Transfer-Encoding: quoted-printable\n",
         b"Geb=C3=BChr=\n en", "Gebühr en"),
        ("Gebühr".encode(), b"; charset=utf-8", b"Content-Transfer-Encoding: base64\n", b"R2Viw7xocg==", "Gebühr"),
        ("Gebühr".encode(), b"; charset=utf-8; format=flowed", b"", b"Within \n30 days.\nNext.",
         "Within 30 days.\nNext."),
    ],
)  # fmt: skip
def test_encodings_of_headers_and_bodies(subject, charset, encoding, body, words):
    document = read(HEAD % (subject, charset, encoding, body))
    assert document.title == "Gebühr"
    assert document.text.split("\n\n")[-1] == words
    assert "\ufffd" not in document.text


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_marks_and_line_ends_change_nothing(line_end, encoding):
    text = "From: a@a.example\nSubject: Fees\n\nOne €.\n\nTwo."
    assert read(text.replace("\n", line_end).encode(encoding)).text == (
        "# Fees\n\nFrom: a@a.example\n\nOne €.\n\nTwo."
    )


def test_a_mail_without_subject_has_the_title_of_its_file():
    document = read(b"From: a@a.example\nDate: never\n\nOne.")
    assert (document.title, document.updated_at) == ("fees", None)
    assert document.text == "From: a@a.example\nDate: never\n\nOne."


@pytest.mark.parametrize("data", [b"", b"Only words.", b"\x00\xff", b"%PDF-1.4", b"<html>"])
def test_what_is_no_mail_is_refused(data):
    with pytest.raises(UnreadableDocument) as caught:
        read(data)
    assert caught.value.code == "not_mail"


def test_mails_nested_deeply_end():
    inner = mail("Innermost.")
    for _ in range(40):
        outer = mail("Outer.")
        outer.add_attachment(inner)
        inner = outer
    with suppress(UnreadableDocument):
        assert "Outer." in read(inner).text


def sample():
    message = mail("One €.\n\nTwo.", "Gebühr")
    message.add_alternative("<p>One", subtype="html")
    message.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="a.csv")
    message.add_attachment(mail("Inner.", "In"))
    return message.as_bytes().replace(message.get_boundary().encode(), b"=border=")


SAMPLE = sample()
BITS = [b"", b"=", b"?", b"\n", b"\n\n", b"=?", b"--=border=", b"\xff", b'"', b"\x00", b"charset=utf-7"]


@settings(max_examples=200)
@given(st.integers(0, len(SAMPLE)), st.sampled_from(BITS) | st.binary(max_size=6), st.integers(0, 12))
def test_no_damage_raises_anything_but_the_typed_error(at, put, lost):
    with suppress(UnreadableDocument):
        document = read(SAMPLE[:at] + put + SAMPLE[at + lost :])
        assert all(block.text == document.text[slice(*block.span)] for block in document.blocks)
        document.text.encode("utf-8")
        assert "\r" not in document.text


def test_a_mail_too_deep_to_be_read_is_noticed():
    text = "From: a@a.example\nSubject: s\n\nThe fee is 7.\n"
    for number in range(25):
        text = f"From: a@a.example\nSubject: s{number}\nContent-Type: message/rfc822\n\n{text}"
    document = parse_eml(text.encode(), source_uri="a.eml", relative_path="a.eml")
    assert "The fee is 7." not in document.text
    (notice,) = document.notices
    assert (notice.code, "more than 20 mails inside each other" in notice.message) == (
        "attachment_not_read",
        True,
    )


@pytest.mark.parametrize("sign", ["=00", "=07", "=1B", "=7F"])
def test_an_encoded_word_brings_no_control_into_a_header(sign):
    data = f"From: a@a.example\nSubject: =?utf-8?Q?Fe{sign}es?=\n\nThe fee is 7.\n".encode()
    document = parse_eml(data, source_uri="a.eml", relative_path="a.eml")
    assert (document.title, document.text.split("\n")[0]) == ("Fees", "# Fees")
