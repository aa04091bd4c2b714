"""``python -m exactrelu``."""

import sys

from exactrelu.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
