"""Old encodings: read right, or not read at all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit import UnreadableDocument, parse
from rag_kit.parsing.decoding import decode

TEXTS = {
    "ru": "Расходомер измеряет объём воды в трубе. Перед установкой прочитайте это руководство до конца. Гарантия "
    "действует двенадцать месяцев со дня поставки. Если прибор показывает ошибку, отключите питание и подождите "
    "одну минуту. Затем включите его снова и проверьте показания на экране.",
    "cs": "Průtokoměr měří objem vody v potrubí. Před instalací si přečtěte celou příručku. Záruka platí dvanáct "
    "měsíců ode dne dodání. Pokud přístroj ukazuje chybu, vypněte napájení a počkejte jednu minutu. Potom ho "
    "znovu zapněte a zkontrolujte údaje. Šťastnou cestu, žádný účet, několik lžic.",
    "pl": "Przepływomierz mierzy objętość wody w rurze. Przed montażem przeczytaj całą instrukcję. Gwarancja "
    "obowiązuje dwanaście miesięcy od dnia dostawy. Jeśli urządzenie pokazuje błąd, wyłącz zasilanie i poczekaj "
    "jedną minutę. Następnie włącz je ponownie i sprawdź wskazania na ekranie.",
    "de": "Der Durchflussmesser misst die Wassermenge im Rohr. Lesen Sie vor der Montage die ganze Anleitung. Die "
    "Gewährleistung gilt zwölf Monate ab dem Tag der Lieferung. Schalten Sie das Gerät aus, und prüfen Sie die "
    "Anzeige. Bleibt der Fehler, schreiben Sie bitte an unseren Kundendienst in der Großen Straße.",
    "fr": "Le débitmètre mesure le volume d'eau dans la conduite. Avant l'installation, lisez ce manuel jusqu'au "
    "bout. La garantie est valable douze mois à compter de la livraison. Rallumez l'appareil et vérifiez les "
    "valeurs à l'écran, où que vous soyez. Écrivez ensuite à notre service clientèle.",
    "es": "El caudalímetro mide el volumen de agua en la tubería. Antes de la instalación lea todo el manual. La "
    "garantía es válida durante doce meses. Después enciéndalo de nuevo y compruebe los valores de la pantalla. "
    "Si el error continúa, escriba a nuestro servicio de atención al cliente.",
    "is": "Rennslismælirinn mælir rúmmál vatns í rörinu. Lestu alla handbókina áður en þú setur hann upp. "
    "Ábyrgðin gildir í tólf mánuði frá afhendingardegi. Ef tækið sýnir villu skaltu slökkva á því og bíða.",
    "tr": "Debimetre borudaki suyun hacmini ölçer. Kurulumdan önce bu kılavuzun tamamını okuyun. Garanti, teslim "
    "gününden itibaren on iki ay geçerlidir. Cihaz bir hata gösterirse gücü kapatın ve bir dakika bekleyin.",
    "el": "Ο μετρητής ροής μετρά τον όγκο του νερού στον σωλήνα. Πριν από την εγκατάσταση διαβάστε ολόκληρο το "
    "εγχειρίδιο. Η εγγύηση ισχύει για δώδεκα μήνες από την ημέρα παράδοσης. Αν η συσκευή δείχνει σφάλμα, κλείστε.",
    "he": "מד הזרימה מודד את נפח המים בצינור. לפני ההתקנה קראו את כל המדריך. האחריות תקפה למשך שנים עשר חודשים "
    "מיום האספקה. אם המכשיר מציג שגיאה, כבו את החשמל והמתינו דקה אחת. לאחר מכן הפעילו אותו שוב.",
    "ja": "この流量計は配管を流れる水の量を測ります。取り付けの前に、この説明書を最後までお読みください。"
    "保証期間は納品の日から十二か月です。エラーが表示されたときは、電源を切り、一分ほど待ってください。"
    "そのあともう一度電源を入れ、画面の値を確かめてください。",
    "zh": "流量计用来测量管道中水的体积。安装之前，请完整阅读本手册。保修期为自交货之日起十二个月。"
    "如果设备显示错误，请关闭电源并等待一分钟，然后重新打开并检查屏幕上的数值。如果错误仍然存在，请写信给我们的客户服务部门。",
    "ko": "유량계는 배관을 흐르는 물의 양을 측정합니다. 설치하기 전에 이 설명서를 끝까지 읽어 주십시오. "
    "보증 기간은 납품일로부터 열두 달입니다. 오류가 표시되면 전원을 끄고 일 분 정도 기다려 주십시오.",
    "ar": "يقيس عداد التدفق حجم الماء في الأنبوب. قبل التركيب اقرأ هذا الدليل حتى النهاية. الضمان صالح لمدة اثني "
    "عشر شهرا من يوم التسليم. إذا أظهر الجهاز خطأ فأطفئ الكهرباء وانتظر دقيقة واحدة.",
}
READ = {
    "ru": ["cp1251", "koi8-r"],
    "cs": ["cp1250", "iso8859-2"],
    "pl": ["cp1250", "iso8859-2"],
    "de": ["cp1252"],
    "fr": ["cp1252"],
    "es": ["cp1252"],
    "is": ["cp1252"],
    "tr": ["cp1254"],
    "el": ["cp1253"],
    "he": ["cp1255"],
    "ja": ["cp932", "euc-jp", "iso2022_jp"],
    "zh": ["gb18030"],
    "ko": ["cp949"],
}
OTHERS = [
    "iso8859-5",
    "cp866",
    "mac-cyrillic",
    "cp850",
    "cp852",
    "mac-roman",
    "cp1256",
    "iso8859-15",
    "iso8859-7",
]


def written(language, encoding):
    return TEXTS[language].encode(encoding)


@pytest.mark.parametrize(
    ("language", "encoding"), [(one, each) for one, names in READ.items() for each in names]
)
def test_a_page_in_an_old_encoding_is_read_right_and_says_so(language, encoding):
    text, notices = decode(written(language, encoding), "a.txt")
    assert text == TEXTS[language]
    assert [notice.code for notice in notices] == ["encoding"]


def can_write(language, encoding):
    try:
        return bool(written(language, encoding))
    except UnicodeEncodeError:
        return False


@pytest.mark.parametrize(
    ("language", "encoding"), [(one, each) for one in TEXTS for each in OTHERS if can_write(one, each)]
)
def test_any_other_encoding_is_read_right_or_is_an_error(language, encoding):
    data = written(language, encoding)
    try:
        text, _ = decode(data, "a.txt")
    except UnreadableDocument as error:
        text, code = None, error.code
    assert text == TEXTS[language] or (text is None and code == "encoding")


def test_the_euro_sign_tells_two_western_encodings_apart():
    assert decode("Die Gebühr beträgt 5 €.".encode("cp1252"), "a.txt")[0] == "Die Gebühr beträgt 5 €."
    assert decode("Die Gebühr beträgt 5 €.".encode("iso8859-15"), "a.txt")[0] == "Die Gebühr beträgt 5 €."


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_unicode_without_a_mark_is_told_by_its_zero_bytes(encoding):
    text = "The fee is 5 €.\nIt is paid once.\n"
    decoded, notices = decode(text.encode(encoding), "a.txt")
    assert decoded == text
    assert [notice.code for notice in notices] == ["encoding"]


@pytest.mark.parametrize("data", [b"\x01\x00\x02\x00\x03\x00", b"a\x00b", b"\x00" * 8, bytes(range(256))])
def test_zero_bytes_alone_do_not_make_a_text(data):
    with pytest.raises(UnreadableDocument) as caught:
        decode(data, "a.txt")
    assert caught.value.code == "binary"


def test_letters_that_were_lost_before_are_counted():
    text, (notice,) = decode("Caf\ufffd and th\ufffd".encode(), "a.txt")
    assert text == "Caf\ufffd and th\ufffd"
    assert (notice.code, notice.message[:9]) == ("replacement_characters", "2 letters")


@pytest.mark.parametrize("declared", ["iso-8859-1", "ISO-8859-1 ", "windows-1252", "us-ascii"])
def test_a_declared_encoding_is_believed(declared):
    assert decode("Zoë’s".encode("cp1252"), "a.html", declared=declared) == ("Zoë’s", [])


@pytest.mark.parametrize(
    "declared", ["utf-8", "utf-16", "no-such", "", "unicode_escape", "rot13", "idna", "undefined", "\x00"]
)
def test_a_declaration_that_is_wrong_or_no_encoding_of_text_is_passed_over(declared):
    assert decode("Größe 5 €".encode("cp1252"), "a.html", declared=declared)[0] == "Größe 5 €"
    assert decode("Größe 5 €".encode(), "a.html", declared=declared) == ("Größe 5 €", [])


def test_a_bad_file_is_named_and_the_others_are_read(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"aaaa\n" * 1_000 + "café €12".encode("cp1252"))
    (tmp_path / "b.txt").write_bytes(b"plain text " * 9 + b"\x81" + b" plain text" * 9)
    (tmp_path / "c.txt").write_bytes(b"aaaa\n" * 1_000 + "café €12".encode())
    parsed = parse(tmp_path)
    assert [document.text[-8:] for document in parsed.documents] == ["café €12", "café €12"]
    assert [(error.source_uri[-5:], error.code) for error in parsed.errors] == [("b.txt", "encoding")]


@given(st.sampled_from(sorted(TEXTS)), st.sampled_from(OTHERS), st.integers(0, 200), st.integers(1, 300))
@settings(deadline=None, max_examples=60)
def test_a_text_of_accents_alone_is_never_read_as_western(language, encoding, start, length):
    if language in ("ru", "el", "he", "ar"):
        data = TEXTS[language][start : start + length].encode(encoding, "ignore")
        try:
            text, _ = decode(data, "a.txt")
        except UnreadableDocument:
            return
        words = [word for word in text.split() if len(word) > 4]
        assert not any("à" <= letter <= "ÿ" for word in words for letter in word.lower())
