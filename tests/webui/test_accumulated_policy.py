"""The page in a browser under the policy without a curve, and a fact put right in the portrait."""

from __future__ import annotations

from playwright.sync_api import expect

from siliconfriend.memory.knowledge import Fact
from tests.webui.conftest import ACTIONS, Serve, tab, told


def test_what_the_night_learned_is_shown_and_put_right(serve: Serve) -> None:
    """Strength instead of curves; a fact of the night is corrected where it is read."""
    served = serve(samples=False, policy="accumulated")
    page = served.talk_as("Ada")
    page.fill("#message textarea", "My birthday is on 4 May.")
    page.press("#message textarea", "Enter")
    expect(page.locator("#chat .bot")).to_have_count(1)
    tab(page, "Night")
    page.get_by_label("Count today as over, too").check()
    page.click("#night-run")
    expect(page.locator("#night-reports")).to_contain_text("strength adds up")
    tab(page, "Fading")
    expect(page.locator("#curves")).to_contain_text("has no curve")
    expect(page.locator("#curves")).to_contain_text("strength 1")
    tab(page, "Portrait")
    (fact,) = served.memory("Ada").facts()
    shown = page.locator(f"#portrait [data-memory='{fact.id}']")
    expect(shown).to_contain_text("birthday")
    known = page.locator("#portrait section", has=page.locator(f"[data-memory='{fact.id}']"))
    expect(known.locator("h3")).to_have_text("What I know of you")
    # Plans are read from the index and stand above what is known, as soon as they are there.
    expect(page.locator("#portrait h3").first).to_have_text("Promises and plans")
    shown.get_by_role("button", name=ACTIONS).click()
    shown.get_by_role("menuitem", name="Put this right", exact=True).click()
    page.fill("#sf-words", "Ada's birthday is 5 May.")
    page.locator("#sf-correct .sf-primary").click()
    told(page, "Corrected")
    expect(shown).to_contain_text("5 May")
    expect(shown).to_contain_text("In your own words.")
    after = served.memory("Ada").find(fact.id)
    assert isinstance(after, Fact)
    assert (after.text, after.provenance.made_by) == (
        "Ada's birthday is 5 May.",
        "person",
    )
