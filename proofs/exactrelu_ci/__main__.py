"""No program: ``python -m exactrelu_checker --manifest FILE`` is the one."""

import sys

sys.stderr.write("exactrelu-check: no program; python -m exactrelu_checker FILE checks\n")
sys.exit(2)
