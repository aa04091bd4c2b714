"""A page that stands alone: nothing in it is fetched from anywhere."""

from __future__ import annotations

import html
import json
from typing import Any

#: No request leaves the page, whatever stands in it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

_CSS = """
:root { color-scheme: light; --ink: #1b1b1b; --pale: #6b6b6b; --line: #d9d9d9; --back: #fafafa; }
body { font: 15px/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--ink);
  max-width: 72rem; margin: 1.5rem auto 4rem; padding: 0 1rem; background: white; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .6rem; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--pale); font-weight: 600; }
code, .exact { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; }
img { max-width: 100%; }
"""


def page(title: str, body: str, script: str = "", css: str = "") -> str:
    """An HTML document; ``body`` is escaped already."""
    end = f"<script>\n{script}\n</script>\n" if script else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>{_CSS}{css}</style>
</head>
<body>
{body}{end}</body>
</html>
"""


def data_for_script(value: Any) -> str:
    """JSON that may stand inside a script element: no tag can end or begin in it.

    >>> data_for_script(["</script>"])
    '["\\\\u003c/script\\\\u003e"]'
    """
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
