"""Makes pages of what docs/ links to elsewhere in the repository: README.md is the first one, the reference configuration a table.

A link is written as it works in the repository. One that leads nowhere fails the build (mkdocs.yml: strict).
"""

import os
import posixpath
import re
import xml.etree.ElementTree as ElementTree

from mkdocs.structure.files import File

REPO = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
REFERENCE = "conf/interference-reference.xml"
PLACES = {"README.md": "index.md", REFERENCE: "settings.md"}
LINK = re.compile(r"(?<=\]\()([^)\s#:]+)(?=[)#])")


def place_of(path):
    """Returns where the site has a file or folder of the repository."""
    if path in PLACES:
        return PLACES[path]
    if os.path.isdir(os.path.join(REPO, path)):
        path = posixpath.join(path, "README.md" if "README.md" in os.listdir(os.path.join(REPO, path)) else "index.md")
    return path.removeprefix("docs/") if path.startswith("docs/") else "repository/" + path


def source_of(place):
    """Returns which file of the repository a page was made of."""
    for path, its in PLACES.items():
        if its == place:
            return path
    return place.removeprefix("repository/") if place.startswith("repository/") else "docs/" + place


def targets(path, text):
    """Returns what a file of the repository links to, as it is written and as a path in the repository."""
    for match in LINK.finditer(text):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1]))
        if not target.startswith("..") and os.path.exists(os.path.join(REPO, target)):
            yield match[1], target


def read(path):
    with open(os.path.join(REPO, path), encoding="utf-8") as file:
        return file.read()


def settings():
    rows = ["# Settings", "", "| setting | default | |", "|---|---|---|"]
    for setting in ElementTree.parse(os.path.join(REPO, REFERENCE)).getroot().iter("property"):
        name, value, description = (" ".join((setting.findtext(tag) or "").split()) for tag in ("name", "value", "description"))
        rows.append(f"| `{name}` | {f'`{value}`' if value else ''} | {description.replace('|', chr(92) + '|')} |")
    return "\n".join(rows) + "\n"


def files_of(folder):
    whole = os.path.join(REPO, folder)
    return sorted(name for name in os.listdir(whole) if os.path.isfile(os.path.join(whole, name)) and not name.startswith("."))


def listing(folder):
    names = files_of(folder)
    return f"# {folder}\n\n" + "\n".join(f"- [{name}]({name})" for name in names) + "\n"


def on_files(files, config):
    known = {file.src_uri for file in files}
    waiting = ["README.md", *(source_of(file.src_uri) for file in files.documentation_pages())]
    while waiting:
        path = waiting.pop()
        place = place_of(path)
        whole = os.path.join(REPO, path)
        if place not in known:
            known.add(place)
            if path == REFERENCE:
                files.append(File.generated(config, place, content=settings()))
            elif os.path.isdir(whole) and place.endswith("index.md"):
                files.append(File.generated(config, place, content=listing(path)))
                waiting += [posixpath.join(path, name) for name in files_of(path)]
            elif os.path.isfile(whole):
                files.append(File.generated(config, place, abs_src_path=whole))
            else:
                waiting.append(posixpath.join(path, "README.md"))
                known.discard(place)
        if path.endswith(".md") and os.path.isfile(whole):
            waiting += [target for _, target in targets(path, read(path)) if place_of(target) not in known]
    return files


def on_page_markdown(markdown, page, config, files):
    path = source_of(page.file.src_uri)
    folder = posixpath.dirname(page.file.src_uri)
    places = {written: posixpath.relpath(place_of(target), folder or ".") for written, target in targets(path, markdown)}
    return LINK.sub(lambda match: places.get(match[1], match[1]), markdown)
