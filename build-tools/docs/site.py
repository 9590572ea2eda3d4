"""Makes pages of what docs/ links to elsewhere in the repository: README.md is the first one, the reference configuration a table.

A link is written as it works in the repository. One that leads nowhere fails the build (mkdocs.yml: strict), and so does a figure that is not
what its measurement has (check.py).
"""

import logging
import os
import posixpath
import xml.etree.ElementTree as ElementTree

from check import LINK, REPO, problems, read, targets
from mkdocs.exceptions import Abort
from mkdocs.structure.files import File

LOG = logging.getLogger("mkdocs.hooks.site")
REFERENCE = "conf/interference-reference.xml"
PLACES = {"README.md": "index.md", REFERENCE: "settings.md"}


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


def on_pre_build(config):
    found = problems()
    for sentence in found:
        LOG.warning(sentence)
    if found:
        raise Abort(f"{len(found)} links or figures are wrong")


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
