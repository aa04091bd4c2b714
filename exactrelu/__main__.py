"""``python -m exactrelu``."""

import sys

from exactrelu.cli.main import main

sys.exit(main())
