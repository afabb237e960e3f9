"""What cells write, as a reader meets it: in JupyterLab before a run, and as a page made by nbconvert."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
HERE = Path(__file__).parent
SOURCE = HERE / "written_lesson.txt"
CODE = "pre:has-text('def rerank')"
PACE = """pre => { const pace = text => { const span = pre.ownerDocument.createElement('span');
    span.textContent = text; pre.append(span); const wide = span.getBoundingClientRect().width;
    span.remove(); return wide; };
    return [pace('iiiiiiiiii'), pace('MMMMMMMMMM')]; }"""
LINES = "pre => pre.getBoundingClientRect().height / parseFloat(getComputedStyle(pre).lineHeight)"
SIDEWAYS = """pre => { let box = pre; while (box && !(box.scrollWidth > box.clientWidth
    && ['auto', 'scroll'].includes(getComputedStyle(box).overflowX))) box = box.parentElement;
    return Boolean(box) && box.closest('.jp-OutputArea-output') !== null; }"""


def seen(page):
    """Hold what a reader must see on any page, whatever stands around it."""
    code = page.locator(CODE).last
    narrow, wide = code.evaluate(PACE)
    assert narrow == pytest.approx(wide)
    heads = page.locator("th", has_text="by words")
    assert heads.evaluate("cell => getComputedStyle(cell).textAlign").endswith("right")
    assert page.locator("li", has_text="the second is not").locator("p").count() == 0
    assert page.locator("strong code", has_text="ask --json").is_visible()
    assert page.get_by_text("A. Look at the spans that were shown").is_visible()
    return code


def test_jupyterlab_before_a_run(jupyter, executed_notebook, tmp_path):
    page = jupyter.open(executed_notebook).page
    page.locator(CODE).last.wait_for()
    seen(page)
    jupyter.shot("written_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    seen(page)
    jupyter.shot("written_dark", tmp_path)


def test_jupyterlab_after_a_run(jupyter, executed_notebook, tmp_path):
    page = jupyter.open(executed_notebook).run_all().page
    seen(page)
    page.get_by_label("A. Look at the spans that were shown").click()
    page.get_by_role("button", name="Check answer").click()
    page.get_by_role("status").locator("code", has_text="spans").wait_for()
    jupyter.shot("written_run", tmp_path)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_that_nbconvert_makes(browser, kit, executed_notebook, theme, tmp_path):
    nbconvert = pytest.importorskip("nbconvert")
    html, _ = nbconvert.HTMLExporter(theme=theme).from_filename(str(kit / executed_notebook))
    file = tmp_path / "page.html"
    file.write_text(html, encoding="utf-8")
    page = browser.new_page(viewport={"width": 700, "height": 1100}, java_script_enabled=False)
    page.route("http**", lambda route: route.abort())
    page.goto(file.as_uri(), wait_until="domcontentloaded")
    code = seen(page)
    source = code.inner_text().rstrip("\n")
    assert code.evaluate(LINES) == pytest.approx(source.count("\n") + 1, abs=0.5)
    assert code.evaluate(SIDEWAYS)
    page.screenshot(path=str(tmp_path / "page.png"), full_page=True)
    page.close()
