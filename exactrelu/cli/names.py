"""Names that are typed: the one that was meant, and all that a shell can complete.

*Hints.*  A wrong name is answered with the nearest one: the name that the same question has in
Python, a name that begins so, or one that is spelled nearly so.

*Completion* is a script for the user's shell with the names of commands and options in it, so that
no program has to start when the key is pressed:

    source <(exactrelu --completion bash)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from exactrelu.public.names import COMMANDS

if TYPE_CHECKING:
    from exactrelu.cli.command import Command

#: How alike two spellings of one name are: ``verify`` is not a slip for ``certify``.
ALIKE = 0.78

#: The commands by the functions of Python that ask the same, and by others that are a part of it.
FUNCTIONS = {
    **{called.rpartition(".")[2]: command for command, called in COMMANDS.items()},
    "evaluate_batch": "eval",
    "identifiable_volume": "identifiable",
    "is_bounded": "polyhedron",
    "is_nonempty": "polyhedron",
    "is_supertransversal": "generic",
    "layer_injective": "injective",
    "local_affine_map": "eval",
    "network_stability": "stability",
    "refute_conjecture": "conjecture",
    "share": "identifiable",
    "trace": "eval",
}

#: What other programs call it.
WORDS = {
    "compare": "equivalent",
    "draw": "plot",
    "examples": "info example:",
    "minimize": "simplify",
    "show": "info",
    "validate": "check",
}

SHELLS = ("bash", "zsh", "fish")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant.

    >>> nearest("region", ["regions", "rank"]), nearest("verify", ["certify"])
    ('regions', None)
    """
    names = list(known)
    longer = [other for other in names if len(name) > 3 and other.startswith(name)]
    close = get_close_matches(name, names, 1, ALIKE)
    return next(iter([*longer, *close]), None)


def nearest_command(name: str, known: Iterable[str]) -> str | None:
    """The same for commands, which may be meant by a function of Python.

    >>> nearest_command("er.largest_difference", ["difference", "generic"])
    'difference'
    >>> nearest_command("is_generic", ["difference", "generic"])
    'generic'
    """
    commands = list(known)
    function = name.removeprefix("er.").removeprefix("exactrelu.")
    if FUNCTIONS.get(function) in commands:
        return FUNCTIONS[function]
    plain = function.lower().replace("_", "-").removeprefix("is-")
    if plain in WORDS:
        return WORDS[plain]
    return plain if plain in commands else nearest(plain, commands)


def meant(name: str | None) -> str:
    """The end of a sentence that says what is wrong."""
    return f"; did you mean {name}?" if name else ""


def completion(shell: str, commands: Sequence[Command]) -> str:
    """A script that makes a shell complete commands, their options, and files."""
    if shell == "fish":
        return "".join(f"{line}\n" for command in commands for line in _fish(command))
    cases = "\n".join(f"    {c.name}) names='{' '.join(_options(c))}' ;;" for c in commands)
    first = " ".join([*(c.name for c in commands), "--help", "--version"])
    # In zsh the same function serves, by what zsh itself brings for it.
    begin = "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n"
    return f"""\
{begin if shell == "zsh" else ""}_exactrelu() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" names=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    names='{first}'
  else case "${{COMP_WORDS[1]}}" in
{cases}
  esac; fi
  case "$COMP_CWORD,$word" in
    1,*|*,-*) COMPREPLY=($(compgen -W "$names" -- "$word")) ;;
  esac
}}
complete -o default -F _exactrelu exactrelu
"""


def _options(command: Command) -> list[str]:
    from exactrelu.cli.command import EVERYWHERE

    given = (*command.arguments, *EVERYWHERE)
    return [name for a in given for name in a.names if name.startswith("--")] + ["--help"]


def _fish(command: Command) -> list[str]:
    summary = command.summary.replace("\\", "\\\\").replace("'", "\\'")
    about = f"-n '__fish_seen_subcommand_from {command.name}'"
    first = f"complete -c exactrelu -n __fish_use_subcommand -f -a {command.name} -d '{summary}'"
    options = (
        f"complete -c exactrelu {about} -l {o.removeprefix('--')}" for o in _options(command)
    )
    return [first, *options]
