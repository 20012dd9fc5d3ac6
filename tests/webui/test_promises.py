"""Each promise of SECURITY.md about the page, kept by one line that a test here watches."""

from dataclasses import replace
from pathlib import Path

import pytest

from siliconfriend.characters.card_files import redraw_picture
from siliconfriend.characters.character import Character
from siliconfriend.person.companions import SAMPLE_COMPANION, create_companion
from tests.webui.conftest import ADA, Open, Tab
from webui.rendering import FILES


def test_an_answer_is_not_taken_for_another_kind_of_file(open_tab: Open) -> None:
    assert open_tab().http.get("/session").headers["x-content-type-options"] == "nosniff"


def test_nothing_of_a_person_stays_in_a_browsers_cache(open_tab: Open) -> None:
    http = open_tab().http
    for path in ("/", "/session", "/export?form=native"):
        assert http.get(path).headers["cache-control"] == "no-store", path
    assert "immutable" in http.get("/page/any/style.css").headers["cache-control"]


@pytest.mark.parametrize("site", ["http://127.0.0.1", "https://127.0.0.1"])
def test_a_log_in_is_read_by_no_script_and_leaves_https_never(
    open_tab: Open, auth: Path, site: str
) -> None:
    form = {"username": "Ada", "password": ADA}
    told = open_tab(auth=auth).http.post(f"{site}/login", data=form).headers["set-cookie"].lower()
    assert "httponly" in told
    assert "samesite=lax" in told
    assert ("secure" in told) is site.startswith("https")


@pytest.fixture
def pictured(open_tab: Open, auth: Path) -> Tab:
    """A tab of Ada, who logged in, where there is a companion with a picture."""
    tab = open_tab(auth=auth)
    create_companion(tab.backend.bank, Character(SAMPLE_COMPANION), is_sample=True)
    picture = redraw_picture((FILES / "icon-192.png").read_bytes())
    tab.backend.companions.replace_picture(SAMPLE_COMPANION, picture)
    tab.http.post("/login", data={"username": "Ada", "password": ADA})
    return tab


def test_a_picture_that_somebody_uploaded_can_run_nothing(pictured: Tab) -> None:
    answer = pictured.http.get(f"/companions/picture?name={SAMPLE_COMPANION}")
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["content-type"] == "image/png"


def test_only_who_edits_companions_takes_their_cards_along(pictured: Tab) -> None:
    path = f"/companions/export?name={SAMPLE_COMPANION}&form=json"
    refused = pictured.http.get(path)
    assert refused.status_code != 200
    assert "spec" not in refused.text
    pictured.backend.settings = replace(pictured.backend.settings, companion_editors="Ada")
    assert "spec" in pictured.http.get(path).text


@pytest.mark.parametrize("path", ["/talk/say", "/views/model", "/views/import", "/views/card"])
def test_uploads_and_bodies_are_as_long_as_promised(open_tab: Open, path: str) -> None:
    most = 64 * 2**20 if path in ("/views/import", "/views/card") else 8 * 2**20
    http = open_tab().http
    for length, is_refused in ((most, False), (most + 1, True)):
        answer = http.post(path, content=b"{}", headers={"content-length": str(length)})
        assert (answer.status_code == 413) is is_refused
