"""Asks a language model and prints the answer word by word (server-sent events).

    GATEWAY_KEY=sk-choose-a-long-secret python3 stream.py "What is the capital of France?"

Needs Python 3.9 or later and no package. GATEWAY_URL is the gateway's address with /v1.
"""
import json
import os
import sys
import urllib.error
import urllib.request

URL = os.environ.get("GATEWAY_URL", "http://127.0.0.1:8080/v1")
question = sys.argv[1] if len(sys.argv) > 1 else "What is the capital of France?"
headers = {"Authorization": f"Bearer {os.environ['GATEWAY_KEY']}", "Content-Type": "application/json"}
body = {"stream": True, "messages": [{"role": "user", "content": question}]}


def events(lines):
    """Each event is a line `data: {...}`; the last one is `data: [DONE]`. Lines with a colon in
    front are comments that keep the connection open."""
    for line in lines:
        line = line.decode().rstrip("\r\n")
        if line == "data: [DONE]":
            return
        if line.startswith("data: "):
            yield json.loads(line[len("data: ") :])
    sys.exit("The stream broke off.")


try:
    request = urllib.request.Request(f"{URL}/chat/completions", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        for event in events(answer):
            if "error" in event:  # A failure after the first word comes as an event.
                sys.exit(event["error"]["message"])
            for choice in event["choices"]:
                print(choice["delta"].get("content") or "", end="", flush=True)
    print()
except urllib.error.HTTPError as error:
    sys.exit(f"{error.code}: {json.load(error)['error']['message']}")
