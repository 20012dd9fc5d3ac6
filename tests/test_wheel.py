"""The wheel alone, with nothing but what it declares, is the whole companion.

The environment is empty but for the built wheel and the libraries it names, and theirs:
these are linked from the environment the tests run in, so that a library which is only
there for the tests is missing here, as it would be for a stranger.
"""

import os
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def _declared(
    distribution: metadata.Distribution,
    extras: frozenset[str],
    found: dict[str, metadata.Distribution],
) -> None:
    """Collect what a distribution with these extras names, and what that names in turn."""
    for line in distribution.requires or []:
        requirement = Requirement(line)
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": one}) for one in extras | {""}):
            continue
        name = canonicalize_name(requirement.name)
        if name not in found or requirement.extras:
            found[name] = metadata.distribution(name)
            _declared(found[name], frozenset(requirement.extras), found)


def _link(distribution: metadata.Distribution, site: Path) -> None:
    for file in distribution.files or []:
        top = file.parts[0]
        source = Path(str(distribution.locate_file(top)))
        target = site / top
        if top in ("..", "__pycache__") or target.exists():
            continue
        target.symlink_to(source)


@pytest.fixture(scope="module")
def wheel_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter in an environment that holds the wheel and what it declares."""
    place = tmp_path_factory.mktemp("wheel")
    wheel_of = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation"]
    build: list[str | Path] = [*wheel_of, "--no-deps", "--wheel-dir", place, ROOT]
    subprocess.run(build, check=True, capture_output=True)
    wheel = next(place.glob("*.whl"))
    venv.create(place / "env")
    python = place / "env" / "bin" / "python"
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", python]
    install = [*pip, "install", "--quiet", "--no-compile", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, capture_output=True)
    site = next((place / "env" / "lib").glob("python*/site-packages"))
    (own,) = metadata.distributions(name="siliconfriend", path=[str(site)])
    found: dict[str, metadata.Distribution] = {}
    _declared(own, frozenset(), found)
    for distribution in found.values():
        _link(distribution, site)
    return python


def _run(
    python: Path, place: Path, *words: str, said: str = ""
) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(place)}
    return subprocess.run(
        [python, "-m", "siliconfriend", *words],
        cwd=place,
        env=environ,
        input=said,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_has_no_top_level_strays(wheel_python: Path) -> None:
    """The web page and the prompts come inside the package."""
    site = next((wheel_python.parents[1] / "lib").glob("python*/site-packages"))
    assert (site / "siliconfriend" / "webui" / "app.py").is_file()
    for name in ("look/tokens.css", "look/talk.js", "look/fonts/literata-LICENSE.txt"):
        assert (site / "siliconfriend" / "webui" / name).is_file(), name
    assert (site / "siliconfriend" / "prompt_files" / "en").is_dir()
    (licences,) = site.glob("siliconfriend-*.dist-info/licenses")
    assert sorted(path.name for path in licences.rglob("*") if path.is_file()) == [
        "LICENSE",
        "literata-LICENSE.txt",
    ]
    assert not (site / "webui").exists()
    assert not (site / "prompts").exists()


def test_without_sentence_transformers_everything_else_is_there(
    wheel_python: Path, tmp_path: Path
) -> None:
    """The light installation: a talk and a night as usual, its embedder refused with the remedy."""
    site = next((wheel_python.parents[1] / "lib").glob("python*/site-packages"))
    left_out = {"sentence_transformers", "torch", "transformers"}
    links = {each: each.readlink() for each in site.iterdir() if each.name in left_out}
    for link in links:
        link.unlink()
    try:
        home = ("--home", str(tmp_path / "home"))
        said = "I planted a lemon tree today.\nWhat did I plant?\n"
        talk = _run(wheel_python, tmp_path, *home, "chat", "--user", "Ada", said=said)
        assert talk.returncode == 0, talk.stderr
        assert talk.stdout.count("lemon tree") == 2
        stored = [path.read_text("utf-8") for path in (tmp_path / "home").rglob("*.json*")]
        assert any("I planted a lemon tree" in one for one in stored)
        night = _run(wheel_python, tmp_path, *home, "nightly", "--today")
        assert night.returncode == 0, night.stderr
        another = ("config", "set", "embedding", "sentence-transformers:any")
        assert _run(wheel_python, tmp_path, *home, *another).returncode == 0
        refused = _run(wheel_python, tmp_path, *home, "recall", "--user", "Ada", "lemon")
        assert refused.returncode == 3
        assert "pip install sentence-transformers" in refused.stderr
    finally:
        for link, target in links.items():
            link.symlink_to(target)
