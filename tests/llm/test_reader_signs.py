"""The reader on scripts that write no blanks: each sign is about a word, and a sentence ends on its own sign."""

from rag_kit.llm.fit import candidates
from rag_kit.llm.minilm import minilm
from rag_kit.llm.reader import OfflineReader, ReaderWeights
from rag_kit.sources import Source

SURE = ReaderWeights(rank={"similarity": 1.0}, sure={}, intercept=5.0, threshold=0.5)


def texts(text):
    return [candidate.text for candidate in candidates([Source("[1]", "", "", text)])]


def test_sentences_of_chinese_and_japanese_are_long_enough_to_answer():
    assert texts("费用为五欧元。期限三十天！手数料は五ユーロです。") == [
        "费用为五欧元。", "期限三十天！", "手数料は五ユーロです。",
    ]  # fmt: skip
    assert texts("五。好。") == []
    assert texts("Five. Ten days. Ten whole days.") == ["Ten whole days."]


def test_questions_and_openings_in_these_scripts_are_not_quoted():
    assert texts("费用是多少？费用为五欧元。") == ["费用为五欧元。"]
    assert texts("费用如下：\n\n费用为五欧元。") == ["费用为五欧元。"]


def test_the_label_stands_before_the_sign_that_ends_the_sentence():
    reader = OfflineReader(minilm(), SURE)
    assert reader.answer("费用是多少？", [Source("[1]", "", "", "费用为五欧元。")]) == "费用为五欧元 [1]。"
    assert reader.answer("What?", [Source("[1]", "", "", "The fee is 5.")]) == "The fee is 5 [1]."
