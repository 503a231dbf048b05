"""ShellGPT, unchanged: the program answers in the terminal."""

# Client: ShellGPT (pypi shell-gpt): createChatCompletion.

import os
import subprocess
import tempfile

from cases import KEY, URL, case, run, same


def sgpt(model, key=KEY):
    """Runs the program with a home folder of its own."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HOME": home, "OPENAI_API_KEY": key, "API_BASE_URL": URL, "DEFAULT_MODEL": model}
        asked = ["sgpt", "--no-cache", "--no-md", "hello"]
        return subprocess.run(asked, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


# Each run of the program takes 2 s of CPU time, so the relayed model is only refused.
@case("translated: the answer is printed")
def _():
    done = sgpt("translated")
    same((done.returncode, done.stdout.strip()), (0, "1: hello"))


@case("relayed: a wrong key is an error")
def _():
    done = sgpt("relayed", "sk-nobody-has-this-key")
    assert done.returncode != 0 and "invalid_api_key" in done.stderr + done.stdout, done


run()
