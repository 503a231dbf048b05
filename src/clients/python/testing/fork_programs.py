"""Runs Python programs, each in a process of its own that begins with the modules of the command line already imported: importing a large client takes seconds of CPU time.

Reads a line of JSON for each program from stdin: its `text`, its folder `cwd`, its whole environment `env`, and the files `stdout` and `stderr` for its output. Prints a line with its exit code.
"""

import gc
import importlib
import json
import os
import sys
import traceback

# The imported modules stay shared with the processes of the programs: no collection touches them.
gc.disable()
for name in sys.argv[1:]:
    importlib.import_module(name)
gc.freeze()
gc.enable()


def main(program):
    os.chdir(program["cwd"])
    os.environ.clear()
    os.environ.update(program["env"])
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(program[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = ["-c"]
    sys.path.insert(0, "")
    code = 0
    try:
        exec(compile(program["text"], "<string>", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


for line in iter(sys.stdin.readline, ""):
    child = os.fork()
    if child == 0:
        main(json.loads(line))
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
