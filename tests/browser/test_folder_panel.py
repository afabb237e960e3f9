"""A learner types the path of a folder, reads it and asks it; and lesson 01, from start to quiz."""

import pytest

from rag_kit.teaching import checkpoint

pytestmark = pytest.mark.browser
OPENING = "We open at ten, and the last visitors leave at six. The museum cat is called Ptolemy."


@pytest.fixture(scope="module")
def notes(kit):
    """Put a small folder of a learner's own into the copied kit; return its path from the notebooks."""
    folder = kit / "my_notes"
    folder.mkdir()
    (folder / "museum.md").write_text(
        f"# Museum handbook\n\n## For visitors\n\n{OPENING}\n", encoding="utf-8"
    )
    (folder / "prices.md").write_text(
        "---\naccess_tags: [public]\n---\n# Prices\n\nA ticket costs 5 euros.\n", encoding="utf-8"
    )
    (folder / "talk.pptx").write_bytes(b"x")
    return "../my_notes"


def test_a_folder_of_ones_own_is_read_and_asked(jupyter, notes, tmp_path):
    page = jupyter.open("notebooks/ask_your_own_folder.ipynb").run_all().page
    assert jupyter.errors() == []
    page.get_by_placeholder("path/to/your/folder").fill(notes)
    page.get_by_role("button", name="Read the folder").click()
    page.get_by_text("2 documents read, cut into 2 passages.").first.wait_for()
    page.get_by_text("talk.pptx: files of this type are not read yet").first.wait_for()
    question = page.get_by_placeholder("What would you like to know?")
    question.fill("What is the museum cat called?")
    question.press("Enter")
    page.locator("mark:visible", has_text="The museum cat is called Ptolemy.").first.wait_for()
    page.locator("summary", has_text="What was retrieved").first.click()
    page.get_by_role("cell", name="A ticket costs 5 euros.").first.wait_for()
    show_panel(jupyter, "folder_light", tmp_path)
    jupyter.theme("JupyterLab Dark")
    show_panel(jupyter, "folder_dark", tmp_path)

    tags = page.get_by_placeholder("tags, such as public, sales")
    tags.fill("public")
    tags.press("Enter")
    # In the panel: a cell further down shows a refusal too, from the start.
    panel = page.locator(".jp-CodeCell", has=page.get_by_placeholder("path/to/your/folder"))
    panel.get_by_text("No answer was given.").first.wait_for()
    question.fill(" ")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("alert").filter(has_text="the question is empty").wait_for()
    page.get_by_placeholder("path/to/your/folder").fill("no/such/folder")
    page.get_by_placeholder("path/to/your/folder").press("Enter")
    page.get_by_role("alert").filter(has_text="no/such/folder: no such file or folder").wait_for()
    show_panel(jupyter, "folder_trouble_dark", tmp_path)
    jupyter.theme("JupyterLab Light")
    show_panel(jupyter, "folder_trouble_light", tmp_path)


def show_panel(jupyter, name, folder):
    field = jupyter.page.get_by_placeholder("path/to/your/folder")
    field.evaluate("e => e.closest('.jp-Cell').scrollIntoView({block: 'start'})")
    jupyter.shot(name, folder)


def test_lesson_01_from_start_to_quiz(jupyter, tmp_path):
    page = jupyter.open("notebooks/01_search_ask.ipynb").run_all().page
    assert jupyter.errors() == []
    page.get_by_role("button", name="Show source 1", exact=True).first.click()
    page.locator("mark:visible").first.wait_for()
    jupyter.shot("lesson_01_panel", tmp_path)
    quiz = checkpoint("01-sla")
    text, feedback = quiz.options[quiz.answer]
    page.get_by_label(text).click()
    page.get_by_role("button", name="Check answer").first.click()
    page.get_by_role("status").filter(has_text=f"Right. {feedback[:40]}").wait_for()
    jupyter.shot("lesson_01_quiz", tmp_path)
