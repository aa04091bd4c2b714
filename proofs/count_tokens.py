"""Prints how much of the checker there is to read: its tokens, without docstrings and comments.

A token is what Python's own reader calls one: a name, a number, an operator, a string.  Lines can
be made fewer by making them longer; tokens become fewer only by saying less.
"""

import argparse
import ast
import io
import tokenize
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "exactrelu_checker"
KERNEL = ("file", "numbers", "objects", "claims", "evidence", "tree", "check", "main", "program")
_LAYOUT = (
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    tokenize.ENDMARKER,
)


def tokens(path: Path) -> int:
    """Return the number of tokens of a file, without layout, comments and docstrings."""
    source = path.read_text(encoding="utf-8")
    said: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            said.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return sum(
        token.type not in _LAYOUT and token.start[0] not in said
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
    )


if __name__ == "__main__":
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0]).parse_args()
    paths = sorted(PACKAGE.rglob("*.py"))
    tables = [path for path in paths if path.parent.name == "lemmas"]
    total, published = sum(map(tokens, paths)), sum(map(tokens, tables))
    kernel = sum(tokens(PACKAGE / f"{name}.py") for name in KERNEL)
    print(f"checker: {total - published} tokens in {len(paths) - len(tables)} files,")
    print(f"{kernel} of them in the kernel, and {published} in tables of published statements")
    beside = sorted((PACKAGE.parent / "exactrelu_ci").glob("*.py"))
    print(f"for CI: {sum(map(tokens, beside))} tokens in {len(beside)} files")
