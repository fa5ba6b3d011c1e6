"""What is wrong with the arguments, in words of the command: "--depth must be 1 or more, not 0"."""

from __future__ import annotations

import re
from typing import Any

import typer

_SENTENCES = (
    (r"No such option: (\S+)", r"there is no option \1"),
    (r"No such command '(.*?)'\.", r"there is no command \1"),
    (r"No such command '(.*?)'\. Did you mean '?(.*?)'?\?", r"there is no command \1 (did you mean \2?)"),
    (r"Got unexpected extra argument.*? \((.*)\)", r"unexpected argument: \1 (put quotes around a text with spaces)"),
    (r"Option '?(.+?)'? requires an argument\.", r"\1 needs a value"),
    (r"Option '?(.+?)'? does not take a value\.", r"\1 takes no value"),
    (r"(?:file|dir|path) ('.*') is a (file|directory)\.", r"\1 is a \2"),
    (r"(?:file|path) '(.*)' does not exist\.", r"there is no file \1"),
    (r"dir '(.*)' does not exist\.", r"there is no folder \1"),
    (r"Value error, (.*)\.", r"\1"),
)
"""The sentences of the command-line parser, each with the one that we print instead."""
_PROBLEMS = {
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
}
"""The names that pydantic gives to wrong values, each with the words that we print."""


def usage_message(error: typer.TyperException) -> str:
    """Return what is wrong with the arguments, in one line."""
    subject = _subject(error)
    if isinstance(error, typer.BadParameter) and not error.message:
        choices = _choices(error.format_message().partition("Choose from:")[2].split())
        return f"{subject} is missing" + (f": {choices}" if choices else "")
    problem = _problem(error)
    if problem:
        return f"{subject} {problem}"
    message = _rewritten(error.message) + _suggestion(error)
    if subject in message:
        return message
    return f"{subject}{' ' if message.startswith(('must ', 'is ')) else ': '}{message}"


def help_command(group: Any, arguments: list[str]) -> str:
    """Return the command that explains these arguments: "outplay show --help"."""
    names = list[str]()
    for name in arguments:
        group = getattr(group, "commands", {}).get(name)
        if group is None:
            break
        names.append(name)
    return " ".join(["outplay", *names, "--help"])


def _subject(error: typer.TyperException) -> str:
    """Return the name of the argument or option that is wrong; empty if there is none, or more than one."""
    given, param = getattr(error, "param_hint", None), getattr(error, "param", None)
    if given is not None or param is None:
        return str(given or "")
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return str(param.metavar or param.name.upper())


def _problem(error: typer.TyperException) -> str:
    """Return the error that pydantic found, in our words; empty if it is an error of another kind."""
    found = getattr(error.__cause__, "errors", None)
    if found is None:
        return ""
    first: dict[str, Any] = found()[0]
    choices = _choices(re.findall(r"'([^']*)'", error.message.partition("is not one of")[2]))
    text = f"must be {choices}" if choices else _PROBLEMS.get(first["type"], "").format(**first.get("ctx", {}))
    return f"{text}, not {_shown(str(first['input']))}" if text else ""


def _shown(value: str) -> str:
    return value if re.fullmatch(r"-?[0-9.]+", value) else repr(value)


def _choices(names: list[str]) -> str:
    """Return the names as a choice: "connect4 or checkers"."""
    names = [name.strip(",") for name in names]
    return " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _rewritten(message: str) -> str:
    for pattern, ours in _SENTENCES:
        found = re.fullmatch(pattern, message)
        if found is not None:
            return found.expand(ours).replace("', '", " or ")  # several commands that may be meant
    return message


def _suggestion(error: typer.TyperException) -> str:
    names = sorted(getattr(error, "possibilities", None) or ())
    return f" (did you mean {_choices(names)}?)" if names else ""
