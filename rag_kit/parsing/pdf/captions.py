"""What a caption begins with: it is no heading, no row of a table, and stays by what it names."""

import re

CAPTION = re.compile(
    r"(?:table|tabelle|tableau|tabla|tabela|tabella|cuadro|figure|figura|fig\.|exhibit|chart)\s*[\w.\-]*\d",
    re.I,
)
