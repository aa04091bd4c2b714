"""The picture of a report page in the README, taken in Chromium.

python docs/screenshot.py docs/pictures/report.png
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from exactrelu.network.formats.load import load
from exactrelu.view.report.report import report

CASE = Path(__file__).parents[1] / "cases" / "networks/trained-2-8-8-1" / "network.json"


def main(out: str) -> None:
    """Make the page, point at a region, keep what can be seen."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        page_file, shot = Path(folder) / "page.html", Path(folder) / "shot.png"
        report(load(CASE), page_file, timeout=600)
        browser = started.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1000, "height": 1040})
        page.goto(page_file.as_uri())
        picture = page.locator("svg.slice:visible")
        box = picture.bounding_box()
        page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"])
        page.screenshot(path=shot)
        browser.close()
        # 64 colours are enough, and a quarter of the size.
        with Image.open(shot) as image:
            image.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(out, optimize=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("out", metavar="OUT.png", help="such as docs/pictures/report.png")
    main(parser.parse_args().out)
