"""Runs the cases of a client one after another in this process and prints a line of JSON for each: importing a client takes longer than all its cases."""

import asyncio
import inspect
import json
import os
import sys
import traceback

from pydantic import BaseModel

URL = os.environ["GATEWAY_URL"]
KEY = os.environ["GATEWAY_KEY"]
FACTS = {"city": "Paris", "degrees": 21}
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


# The class has no docstring, because clients would send it with the schema.
class Report(BaseModel):
    city: str
    degrees: int


def user(text):
    """Returns a conversation of one user message."""
    return [{"role": "user", "content": text}]


_cases = []

# Output that clients print themselves goes to stderr.
_report = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def case(title):
    """Adds the decorated function, which may be a coroutine, as a case."""

    def add(body):
        _cases.append((title, body))
        return body

    return add


def run():
    # One event loop for all cases, because some clients keep their connections for the next call.
    with asyncio.Runner() as runner:
        for title, body in _cases:
            error = None
            try:
                if inspect.iscoroutinefunction(body):
                    runner.run(body())
                else:
                    body()
            except Exception:
                error = traceback.format_exc(limit=-6)
            print(json.dumps({"title": title, "error": error}), file=_report, flush=True)
    # Without the usual end of the interpreter, which frees each object of large clients: up to 1 s.
    sys.stderr.flush()
    os._exit(0)


def same(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"


def refused(kind, ask):
    """Returns the error of this class that `ask` raises."""
    try:
        ask()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


async def async_refused(kind, asking):
    try:
        await asking
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")
