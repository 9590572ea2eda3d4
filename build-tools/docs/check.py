"""Checks what the Markdown pages of the repository say against what is there: links, and figures that are links to a measurement.

A figure is written `[9.8 [7.6, 11.8] %](measurements/evaluation.json#simulation.heavy.makespan_gain_vs_fair)`: the value below `results` at
that path must round to the digits that are written, with % times 100. `9.8 [7.6, 11.8]` has the ends of the interval or the extremes, `9.8 ± 2.1` half the width.
Where "not clear" follows, the interval must reach both sides of nought.

Usage: check.py says what is wrong, a sentence each, with status 1; check.py --write puts what is measured in the place of what is written.
"""

import functools
import json
import os
import posixpath
import re
import sys
import unicodedata
from urllib.parse import unquote

REPO = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
LINK = re.compile(r"(?<=\]\()([^)\s#:]+)(?=[)#])")
ANY_LINK = re.compile(r"\]\(([^)\s#:]*)(?:#([^)\s]*))?\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.*?)[ #]*$", re.MULTILINE)
NUMBER = r"([+-]?\d[\d,]*(?:\.\d+)?)"
TEXT = re.compile(NUMBER + rf"(?: \[{NUMBER}, {NUMBER}\]| ± {NUMBER})?( %)?")
UNCLEAR = re.compile(r"[,:]? \(?(?:which is )?not clear")
FIGURE = re.compile(r"\[((?:[^][]|\[[^][]*\])*)\]\(((?:[^)\s#:]*/)?measurements/[\w-]+\.json)#([^)\s]+)\)")


def read(path):
    with open(os.path.join(REPO, path), encoding="utf-8") as file:
        return file.read()


def resolve(path, written):
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), written))


def exists(target):
    return not target.startswith("..") and os.path.exists(os.path.join(REPO, target))


def targets(path, text):
    """Returns what a file of the repository links to, as it is written and as a path in the repository."""
    for match in LINK.finditer(text):
        target = resolve(path, match[1])
        if exists(target):
            yield match[1], target


def pages():
    """Returns the Markdown files that are README.md, in docs/, or linked to from one of these, as paths in the repository."""
    waiting = {"README.md"}
    for folder, _, names in os.walk(os.path.join(REPO, "docs")):
        waiting |= {os.path.relpath(os.path.join(folder, name), REPO) for name in names if name.endswith(".md")}
    found = set()
    while waiting:
        page = waiting.pop()
        found.add(page)
        for _, target in targets(page, read(page)):
            if os.path.isdir(os.path.join(REPO, target)):
                target = posixpath.join(target, "README.md")
            if target.endswith(".md") and target not in found and exists(target):
                waiting.add(target)
    return sorted(found)


def without_code(text):
    """Returns a page with its code blanked out, every other character where it was."""
    return CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


@functools.cache
def anchors(path):
    """Returns the names of a page's headings, as the site has them."""
    names = set()
    for heading in HEADING.findall(re.sub(r"^```.*?^```", "", read(path), flags=re.MULTILINE | re.DOTALL)):
        plain = unicodedata.normalize("NFKD", re.sub(r"\]\([^)]*\)", "]", heading)).encode("ascii", "ignore").decode()
        name = first = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
        number = 0
        while name in names:
            number += 1
            name = f"{first}_{number}"
        names.add(name)
    return names


def place(path, text, position):
    return f"{path}:{text.count(chr(10), 0, position) + 1}"


def broken_links(path):
    """Returns a sentence for each link of a page that leads nowhere in the repository."""
    text = read(path)
    for match in ANY_LINK.finditer(without_code(text)):
        target = resolve(path, match[1]) if match[1] else path
        if not exists(target):
            yield f"{place(path, text, match.start())}: the link to {match[1]} leads nowhere."
        elif match[2] and target.endswith(".md") and match[2] not in anchors(target):
            yield f"{place(path, text, match.start())}: {target} has no heading #{match[2]}."


@functools.cache
def results(file):
    return json.loads(read(file))["results"]


def find(node, key):
    """Returns what is at a path of keys with dots between them; a key may have dots of its own. None if nothing is."""
    if not key:
        return node
    if isinstance(node, dict):
        for name, value in node.items():
            if key == name or key.startswith(name + "."):
                found = find(value, key[len(name) + 1 :])
                if found is not None:
                    return found
    return None


def measured(file, key):
    """Returns a figure of a measurement and the two ends of its interval, each None where it has none."""
    value = find(results(file), key)
    if isinstance(value, dict):
        return value.get("mean", value.get("change")), value.get("low"), value.get("high")
    ends = find(results(file), key + "_interval") or find(results(file), key + "_spread") or {}
    return value, ends.get("from", ends.get("min")), ends.get("to", ends.get("max"))


def measured_at(file, key):
    """Returns the commit that a figure was measured at: what the nearest part of its measurement around it says, None if none does."""
    node = json.loads(read(file))
    commit = node.get("commit")
    node = node["results"]
    while isinstance(node, dict):
        commit = node["made"].get("commit") if "made" in node else node.get("commit", commit)
        name = next((name for name in node if key == name or key.startswith(name + ".")), None)
        if name is None:
            break
        node, key = node[name], key[len(name) + 1 :]
    return commit


def decimals(written):
    return len(written.partition(".")[2])


def as_written(value, written):
    """Returns a value with as many digits, and with a sign and commas, as it is written."""
    return f"{value:{'+' if written[0] == '+' else ''}z{',' if ',' in written else ''}.{decimals(written)}f}"


def differs(value, written):
    return abs(value - float(written.replace(",", ""))) > 0.5001 * 10 ** -decimals(written)


def judged(path, text, match):
    """Returns what should be in the place of a figure's text, and a sentence about what is wrong with it, None if nothing is."""
    written, file, key = match[1], resolve(path, match[2]), unquote(match[3])
    where = place(path, text, match.start())
    parts = TEXT.fullmatch(written)
    if not parts:
        return written, f"{where}: '{written}' is no figure such as 1.04, 9.8 %, 9.8 [7.6, 11.8] % or 9.8 ± 2.1 %."
    if not exists(file):
        return written, f"{where}: '{written}' is written, but there is no {file}."
    mean, low, high = measured(file, key)
    values = [mean, low, high, None if low is None or high is None else (high - low) / 2]
    factor = 100 if parts[5] else 1
    should, wrong = written, False
    for number in range(4, 0, -1):
        if parts[number]:
            value = values[number - 1]
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                what = "nothing that is a number" if number == 1 else "no interval"
                return written, f"{where}: '{written}' is written, but {file} has {what} at results.{key}."
            should = should[: parts.start(number)] + as_written(value * factor, parts[number]) + should[parts.end(number) :]
            wrong = wrong or differs(value * factor, parts[number])
    return (should, f"{where}: '{written}' is written, but {file} has {should} at results.{key}.") if wrong else (written, None)


def stale_figures(path):
    """Returns a sentence for each figure of a page that is not what its measurement has."""
    text = read(path)
    for match in FIGURE.finditer(without_code(text)):
        _, sentence = judged(path, text, match)
        if sentence:
            yield sentence
        elif UNCLEAR.match(text, match.end()):
            _, low, high = measured(resolve(path, match[2]), unquote(match[3]))
            if low is None or high is None or not low <= 0 <= high:
                yield f"{place(path, text, match.start())}: '{match[1]}' is not 'not clear'."


def figures(path):
    """Returns each figure of a page: the file and the key of its measurement, and where it stands."""
    text = read(path)
    for match in FIGURE.finditer(without_code(text)):
        file = resolve(path, match[2])
        if exists(file):
            yield file, unquote(match[3]), place(path, text, match.start())


def without_commit(path):
    """Returns a sentence for each figure of a page whose measurement does not say which commit it is of."""
    for file, key, where in figures(path):
        if measured_at(file, key) is None:
            yield f"{where}: {file} does not say of which commit {key} is."


def problems():
    """Returns a sentence for everything that is wrong on any page."""
    return [sentence for page in pages() for check in (broken_links, stale_figures) for sentence in check(page)]


def write():
    for page in pages():
        text = read(page)
        fresh = text
        for match in reversed(list(FIGURE.finditer(without_code(text)))):
            fresh = fresh[: match.start(1)] + judged(page, text, match)[0] + fresh[match.end(1) :]
        if fresh != text:
            with open(os.path.join(REPO, page), "w", encoding="utf-8") as file:
                file.write(fresh)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    elif len(sys.argv) > 1:
        sys.exit(__doc__.splitlines()[-1])
    found = problems()
    for each in found:
        print(each, file=sys.stderr)
    sys.exit(1 if found else 0)
