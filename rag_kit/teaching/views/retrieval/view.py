"""An inspection of a search as HTML and as text: pure functions of what was found."""

from __future__ import annotations

from rag_kit.generation.passages import reached
from rag_kit.hidden import show_unseen, visible
from rag_kit.teaching.markup import BODY, MUTED, escape, shorten
from rag_kit.teaching.views.evidence import in_words
from rag_kit.teaching.views.passages import marked, place, shown
from rag_kit.teaching.views.retrieval.gold import GoldPlace, Ranking
from rag_kit.teaching.views.retrieval.inspection import FUSED, RetrievalInspection, find_links, find_trails
from rag_kit.teaching.views.retrieval.links import GUTTER, ROW, chip, lines_image
from rag_kit.teaching.views.retrieval.matching import excerpt, match_terms
from rag_kit.teaching.views.retrieval.why import score_text, weights_text, why_html
from rag_kit.types import Chunk, Evidence

NOTHING_ASKED = "Choose a question, or type one."
NOTHING_FOUND = {"bm25": "No chunk holds a term of the question."}
KINDS = {"dense": "by meaning: cosine", "bm25": "by words: BM25", "reranked": "the fused list, read closely"}
HOW_TO_READ = (
    "A letter is one chunk, in whatever list it stands; lines join it to itself, dashed where it passes behind a "
    "list that does not show it. A thin dotted line comes from below the rows shown, or goes there. "
    "Words of the question are marked."
)
_TEXT_LINE = 17
_CELL = "padding:0 0 6px;border:none;vertical-align:top;text-align:left;white-space:normal"
_CARD = (
    f"height:{ROW - 6}px;box-sizing:border-box;overflow:hidden;padding:4px 8px;border-radius:4px;"
    f"line-height:{_TEXT_LINE}px;overflow-wrap:anywhere"
)
_PLAIN = f"{_CARD};border:1px solid rgba(128,128,128,0.35)"
_GOLDEN = f"{_CARD};border:3px solid #b8860b;padding:2px 6px"
_ONE_LINE = "white-space:nowrap;overflow:hidden;text-overflow:ellipsis"
_BADGE = "border:1px solid #b8860b;border-radius:4px;padding:0 5px;white-space:nowrap"
_PAST = _BADGE.replace("#b8860b", "rgba(128,128,128,0.7)")
_LINE = "margin:4px 0"
LINES = 7
"""Lines of a card: place and letter, title, section, and the passage in what is left."""


def retrieval_html(seen: RetrievalInspection, opened: str = "") -> str:
    """Return the lists side by side, and below them why each chunk stands where it does.

    ``opened`` is the id of a chunk whose reasons are unfolded.
    """
    if not seen.query.strip():
        return f'<div style="{BODY}"><p style="{_LINE}">{NOTHING_ASKED}</p></div>'
    head = "".join(f'<p style="{_LINE}">{shown(line)}</p>' for line in _opening(seen))
    after = f'<p style="{_LINE};{MUTED}">{HOW_TO_READ}</p>'
    parts = [head, _table(seen), after, why_html(seen, opened)]
    return f'<div style="line-height:1.5">{"".join(parts)}</div>'


def retrieval_text(seen: RetrievalInspection) -> str:
    """Return each list in letters, with scores, and what each letter stands for."""
    if not seen.query.strip():
        return NOTHING_ASKED
    lines = _opening(seen)
    for ranking in seen.rankings:
        rows = [_row_text(seen, ranking, item) for item in seen.rows(ranking)]
        lines.append(f"{ranking.name:>8}: {'  '.join(rows) or _nothing(ranking)}")
    lines += [
        f"{gold_name(seen, gold)}: "
        + ", ".join(f"{ranking.name} {gold_where(ranking, gold)}" for ranking in seen.rankings)
        for gold in seen.gold
    ]
    for chunk_id, chunk in seen.chunks.items():
        where = visible(place(chunk.title, chunk.heading_path))
        lines.append(f"{seen.letters[chunk_id]:>3} {where}: {shorten(visible(in_words(chunk)), 80)}")
    return show_unseen("\n".join(lines))


def settings_text(seen: RetrievalInspection) -> str:
    """Say how the lists are fused.

    >>> settings_text(RetrievalInspection(""))
    'rrf, k = 60, weights dense 1, bm25 1'
    """
    ways = {"dense": 1.0, "bm25": 1.0} | dict(seen.fusion.weights)
    k = [f"k = {seen.fusion.k:g}"] if seen.fusion.method == "rrf" else []
    return ", ".join([seen.fusion.method, *k, f"weights {weights_text(ways)}"])


def gold_name(seen: RetrievalInspection, gold: GoldPlace) -> str:
    """Name a piece of gold: by its number, where there are several."""
    return f"gold {gold.number}" if len(seen.gold) > 1 else "gold"


def gold_where(ranking: Ranking, gold: GoldPlace) -> str:
    """Say where a piece of gold stands in a list."""
    found, count = gold.places[ranking.name], len(ranking.items)
    if found is None:
        return f"not among the {count} candidates" if count else "not found"
    return f"at place {found}" + (f", beyond the {count} candidates" if found > count else "")


def _opening(seen: RetrievalInspection) -> list[str]:
    return [f"Question: {seen.query}", *(f"Gold: {note}." for note in seen.notes), *seen.planned]


def _row_text(seen: RetrievalInspection, ranking: Ranking, item: Evidence) -> str:
    name = item.chunk.chunk_id
    gold = " gold" if seen.gold_in(name) else ""
    return f"{seen.letters[name]} {score_text(seen, ranking.name, item.score)}{gold}"


def _nothing(ranking: Ranking) -> str:
    return NOTHING_FOUND.get(ranking.name, "Nothing was found.")


def _table(seen: RetrievalInspection) -> str:
    columns = seen.rankings
    deep = max(1, *(len(seen.rows(ranking)) for ranking in columns))
    ids = [[item.chunk.chunk_id for item in ranking.items] for ranking in columns]
    gold = {chunk_id for piece in seen.gold for chunk_id in piece.chunk_ids}
    links = find_links([column[: seen.top_k] for column in ids]) + find_trails(ids, seen.top_k, gold)
    gutters = [lines_image(links, at, deep, seen.letters) for at in range(len(columns) - 1)]
    widths = f'<col style="width:{GUTTER}px">'.join(["<col>"] * len(columns))
    head = f'<th style="{_CELL}"></th>'.join(_head(seen, ranking) for ranking in columns)
    rows = "".join(_row(seen, row, deep, gutters) for row in range(deep))
    foot = "".join(_gold_row(seen, gold) for gold in seen.gold)
    least = 170 * len(columns) + GUTTER * (len(columns) - 1)
    style = (
        f"table-layout:fixed;width:100%;min-width:{least}px;border-collapse:collapse;margin:0;font-size:12px"
    )
    return (
        # Of no width of its own: a box inside a widget would grow with its table, and not scroll.
        f'<div style="width:0;min-width:100%;overflow-x:auto"><table style="{style}"><colgroup>{widths}</colgroup>'
        f'<thead style="border:none">{_tr(head)}</thead><tbody>{rows}</tbody><tfoot>{foot}</tfoot>'
        "</table></div>"
    )


def _tr(cells: str) -> str:
    # JupyterLab stripes the rows of its tables, and the lines would run over the stripes.
    return f'<tr style="background:transparent">{cells}</tr>'


def _head(seen: RetrievalInspection, ranking: Ranking) -> str:
    kind = settings_text(seen) if ranking.name == FUSED else KINDS.get(ranking.name, "")
    small = f'<br><span style="{MUTED};font-weight:normal">{escape(kind)}</span>'
    return f'<th scope="col" style="{_CELL}">{escape(ranking.name)}{small}</th>'


def _row(seen: RetrievalInspection, row: int, deep: int, gutters: list[str]) -> str:
    cells = []
    for at, ranking in enumerate(seen.rankings):
        items = seen.rows(ranking)
        if row < len(items):
            held = _card(seen, ranking, items[row])
        else:
            held = f"<em>{escape(_nothing(ranking))}</em>" if row == 0 else ""
        cells.append(f'<td style="{_CELL};height:{ROW}px;box-sizing:border-box">{held}</td>')
        if row == 0 and at < len(gutters):
            cells.append(f'<td rowspan="{deep}" style="{_CELL};padding:0">{gutters[at]}</td>')
    return _tr("".join(cells))


def _gold_row(seen: RetrievalInspection, gold: GoldPlace) -> str:
    name = gold_name(seen, gold)
    cells = []
    for ranking in seen.rankings:
        said = f'<span style="{_BADGE}">{name}</span> {gold_where(ranking, gold)}'
        cells.append(f'<td style="{_CELL}">{said}</td>')
    return _tr(f'<td style="{_CELL}"></td>'.join(cells))


def _card(seen: RetrievalInspection, ranking: Ranking, item: Evidence) -> str:
    chunk = item.chunk
    whole = visible(place(chunk.title, chunk.heading_path))
    title, *sections = whole.split(" › ")
    lines = [_top(seen, ranking, item), f"{_badges(seen, chunk)}{_marked(seen, title)}"]
    lines += [f"› <strong>{_marked(seen, sections[-1])}</strong>"] if sections else []
    head = "".join(f'<div style="{_ONE_LINE}">{line}</div>' for line in lines)
    left = LINES - len(lines)
    # About as many characters as there is room for; what is more is cut at a line's end.
    width = left * (37 if len(seen.rankings) < 4 else 26)
    text, marks = excerpt(visible(in_words(chunk)), seen.query_terms, seen.analyser, width)
    cut = f"max-height:{left * _TEXT_LINE}px;overflow:hidden"
    said = f'<div dir="auto" style="{cut}">{marked(text, marks, (0, len(text)))}</div>'
    style = _GOLDEN if seen.gold_in(chunk.chunk_id) else _PLAIN
    return f'<div style="{style}" title="{escape(shorten(whole, 200))}">{head}{said}</div>'


def _top(seen: RetrievalInspection, ranking: Ranking, item: Evidence) -> str:
    """Return place, letter and score, and of a fused chunk its places before."""
    score = score_text(seen, ranking.name, item.score)
    parts = [f"{item.rank}", chip(seen.letters, item.chunk.chunk_id), score]
    if ranking.name == FUSED and len(seen.rankings) < 4:  # of four there is no room for it
        before = ", ".join(f"{name} {rank}" for name, rank in item.ranks.items())
        parts.append(f'<span style="{MUTED}">{escape(before)}</span>')
    return " ".join(parts)


def _badges(seen: RetrievalInspection, chunk: Chunk) -> str:
    """Name the gold that a chunk holds, and that it is no longer in force."""
    held = seen.gold_in(chunk.chunk_id)
    gold = [gold_name(seen, piece) for piece in seen.gold if piece.number in held]
    ends = {"superseded": chunk.superseded_at, "expired": chunk.expires_at}
    past = [name for name, day in ends.items() if reached(day, seen.as_of)]
    return "".join(
        f'<strong style="{style}">{name}</strong> '
        for style, names in ((_BADGE, gold), (_PAST, past))
        for name in names
    )


def _marked(seen: RetrievalInspection, text: str) -> str:
    spans = [span for span, _ in match_terms(text, seen.query_terms, seen.analyser)]
    return marked(text, spans, (0, len(text)))
