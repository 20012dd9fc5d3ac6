"""Draw the icons that a phone shows, from ``webui/look/avatar.svg``.

    python -m docs.make_icons

The drawing fills its square, and what matters of it lies within the circle that any phone leaves
of an icon, so that one picture serves as it is and masked. It needs Chromium and Playwright.
"""

from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.webui.chromium import find_chromium

STATIC = Path(__file__).parents[1] / "webui" / "look"
SIZES = (192, 512)


def main() -> None:
    """Draw one picture a size."""
    drawing = (STATIC / "avatar.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawing}"
            )
            page.screenshot(path=STATIC / f"icon-{size}.png")
        browser.close()


if __name__ == "__main__":
    main()
