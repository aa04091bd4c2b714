"""Prints the number of lines of code of the checker, without blank lines, comments, docstrings."""

import ast
import io
import tokenize
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "exactrelu_checker"
_LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def code_lines(path: Path) -> int:
    """Return the number of lines of a file that hold code."""
    source = path.read_text(encoding="utf-8")
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _LAYOUT and token.string:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


if __name__ == "__main__":
    paths = sorted(PACKAGE.rglob("*.py"))
    tables = [path for path in paths if path.parent.name == "lemmas"]
    total, published = sum(map(code_lines, paths)), sum(map(code_lines, tables))
    print(f"checker: {total - published} lines of code in {len(paths) - len(tables)} files,")
    print(f"and {published} in {len(tables)} tables of published statements")
    beside = sorted((PACKAGE.parent / "exactrelu_ci").glob("*.py"))
    print(f"for CI: {sum(map(code_lines, beside))} lines of code in {len(beside)} files")
