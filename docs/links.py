"""Every link of the built manual leads somewhere, and no page asks any other machine for anything.

    python docs/links.py docs/_build/site

Pages and anchors inside the site are looked up; so are the files that README.md and its
neighbours link to.  Links to other sites are not followed.  What a browser would load by itself
(scripts, styles, pictures, fonts) must lie in the site.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
RULES = ROOT / "proofs" / "rules"
#: What a browser loads without being asked, by element and attribute.
LOADED = {
    ("link", "href"),
    *((tag, "src") for tag in ("audio", "embed", "iframe", "img", "script", "source", "video")),
    ("object", "data"),
    ("img", "srcset"),
    ("image", "href"),
    ("image", "xlink:href"),
    ("use", "href"),
}
_STYLE = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
_LINK = re.compile(r"(?<!`)\[[^]]*\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


@dataclass
class Page(HTMLParser):
    """What a page links to, what it loads, and the places in it."""

    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.places.add(value or "")
            elif (tag, name) in LOADED:
                self.loaded.append(value or "")
            elif tag == "a" and name == "href":
                self.links.append(value or "")
            elif name == "style":
                self.loaded += _in_style(value or "")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":
            self.loaded += _in_style(data)


def _in_style(text: str) -> list[str]:
    return [a or b for a, b in _STYLE.findall(text)]


def read(path: Path) -> Page:
    """A page of the site."""
    page = Page()
    page.feed(path.read_text())
    page.close()
    return page


def is_elsewhere(address: str) -> bool:
    """Whether an address is that of another machine."""
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in ("http", "https", "ftp")


def requests(site: Path) -> Iterator[str]:
    """What a browser would ask other machines for."""
    for path in sorted(site.rglob("*")):
        if path.suffix == ".html":
            found = read(path).loaded
        elif path.suffix in (".css", ".svg"):
            found = _in_style(path.read_text())
        else:
            continue
        yield from (f"{path.relative_to(site)}: loads {a}" for a in found if is_elsewhere(a))


def broken(site: Path) -> Iterator[str]:
    """Links of the site that lead nowhere in it."""
    pages = {path.resolve(): read(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        for address in dict.fromkeys([*page.links, *page.loaded]):
            parts = urlsplit(address)
            if is_elsewhere(address) or parts.scheme in ("data", "mailto"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            where = path.relative_to(site.resolve())
            if not target.is_file():
                yield f"{where}: {address}: there is no such file"
            elif target in pages and parts.fragment:
                place = unquote(parts.fragment)
                if place not in pages[target].places:
                    yield f"{where}: {address}: there is no such place in the page"


def sources() -> dict[str, Path]:
    """The pages that are written for the site, each with the file whose text it has."""
    single = {
        "certificates/format": ROOT / "proofs" / "FORMAT.md",
        "changelog": ROOT / "CHANGELOG.md",
        "contributing": ROOT / "CONTRIBUTING.md",
        "cite": ROOT / "CITATION.cff",
    }
    rules = sorted(RULES.glob("*.md"))
    found = {**single, **{f"certificates/rules/{path.stem}": path for path in rules}}
    return {name: path for name, path in found.items() if path.exists()}


def broken_in_markdown(path: Path) -> Iterator[str]:
    """Links of a Markdown file that lead to no file, nor to a page with the text of one."""
    pages = {DOCS / f"{name}.md": source for name, source in sources().items()}
    for address in _LINK.findall(_FENCED.sub("", path.read_text())):
        target, _, place = address.partition("#")
        if is_elsewhere(address):
            continue
        found = (path.parent / unquote(target)).resolve() if target else path
        found = pages.get(found, found)
        if not found.exists():
            yield f"{path.name}: {address}: there is no such file"
        elif place and place not in headings(found):
            yield f"{path.name}: {address}: there is no such heading"


def headings(path: Path) -> set[str]:
    """The anchors that a page of Markdown has for its headings."""
    lines = re.findall(r"^#+ +(.+)$", path.read_text(), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", line.strip().lower()) for line in lines)
    return {line.replace(" ", "-") for line in plain}


def main(site: Path) -> int:
    """Print what is wrong, and say whether anything is."""
    wrong = [*requests(site), *broken(site)]
    for path in sorted(ROOT.glob("*.md")):
        wrong += broken_in_markdown(path)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("site", type=Path, help="the folder of the pages, such as docs/_build/site")
    folder = parser.parse_args().site
    if not (folder / "index.html").is_file():
        parser.error(f"{folder}: there is no index.html, so it is no site; see make docs")
    sys.exit(main(folder))
