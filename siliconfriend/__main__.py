"""``python -m siliconfriend`` is the ``siliconfriend`` command."""

from siliconfriend.cli.main import main

if __name__ == "__main__":
    main()
