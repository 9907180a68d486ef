"""`python -m splendor` is the `splendor` command."""

from splendor.cli import main

if __name__ == "__main__":
    main()
