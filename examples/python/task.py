"""Draws a picture as a task: submits it, polls until it has ended, downloads the file.

    GATEWAY_KEY=sk-choose-a-long-secret python3 task.py [file]

Needs Python 3.9 or later and no package. GATEWAY_URL is the gateway's address with /v1.
"""
import json
import os
import shutil
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("GATEWAY_URL", "http://127.0.0.1:8080/v1")
AUTHORIZATION = {"Authorization": f"Bearer {os.environ['GATEWAY_KEY']}"}


def call(url, body=None, headers=None):
    """The JSON answer of a GET, or of a POST of `body`. Exits with the gateway's message on an error."""
    headers = {**AUTHORIZATION, "Content-Type": "application/json", **(headers or {})}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code}: {json.load(error)['error']['message']}")


body = {
    "prompt": "a red fox under a cherry tree at sunset, watercolor",
    "width": 768,
    "height": 512,
    "seed": 7,
}
# The idempotency key makes a repeated submit safe: the gateway answers it with the same task.
submitted = call(f"{URL}/ai/default/imgf/image/generate", body, {"Idempotency-Key": str(uuid.uuid4())})

task = call(submitted["polling_url"])
while task["status"] == "Pending":
    time.sleep(0.5)
    task = call(submitted["polling_url"])
if task["status"] != "Ready":
    sys.exit(f"The task ended as {task['status']}: {task['details']}")

# The link is signed: whoever has it needs no key. It is valid for ten minutes.
path = sys.argv[1] if len(sys.argv) > 1 else "picture.jpg"
with urllib.request.urlopen(task["result"]["sample"]) as picture, open(path, "wb") as file:
    shutil.copyfileobj(picture, file)
print(f"wrote {path}")
