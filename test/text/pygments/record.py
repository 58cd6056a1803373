# Records how Pygments colours the samples: python3 record.py (Debian: python3-pygments).
import json
import os

from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES

HERE = os.path.dirname(os.path.abspath(__file__))


def short(token):
    while token not in STANDARD_TYPES:
        token = token.parent
    return STANDARD_TYPES[token]


# A span ends with its line, as in the HTML.
def add(merged, name, text):
    if text and merged and merged[-1][0] == name:
        merged[-1][1] += text
    elif text:
        merged.append([name, text])


def spans(tag, code):
    merged = []
    for token, text in get_lexer_by_name(tag).get_tokens(code):
        for part in text.splitlines(keepends=True):
            add(merged, short(token), part.removesuffix("\n"))
            add(merged, "", part[len(part.removesuffix("\n")):])
    return merged


with open(os.path.join(HERE, "samples.json"), encoding="utf-8") as file:
    samples = json.load(file)
lines = [json.dumps({"tag": tag, "code": code, "spans": spans(tag, code)}, ensure_ascii=False) for tag, code in samples.items()]
with open(os.path.join(HERE, "recorded.json"), "w", encoding="utf-8") as file:
    file.write("[\n" + ",\n".join(lines) + "\n]\n")
