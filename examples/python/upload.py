"""Uploads a recording and prints its transcription as subtitles.

    GATEWAY_KEY=sk-choose-a-long-secret python3 upload.py speech.mp3

Needs Python 3.9 or later and no package. GATEWAY_URL is the gateway's address with /v1.
"""
import json
import os
import sys
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("GATEWAY_URL", "http://127.0.0.1:8080/v1")
if len(sys.argv) < 2:
    sys.exit("Usage: python3 upload.py <recording>")
path = sys.argv[1]
boundary = uuid.uuid4().hex


def field(name, value):
    return f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'


name = os.path.basename(path).replace('"', "")
head = (
    field("model", "whisper-1")
    + field("response_format", "srt")
    + f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    + "Content-Type: application/octet-stream\r\n\r\n"
).encode()
tail = f"\r\n--{boundary}--\r\n".encode()


def parts():
    """The form, with the file read from the disk while it is sent: it may be larger than the memory."""
    yield head
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            yield chunk
    yield tail


headers = {
    "Authorization": f"Bearer {os.environ['GATEWAY_KEY']}",
    "Content-Type": f"multipart/form-data; boundary={boundary}",
    "Content-Length": str(len(head) + os.path.getsize(path) + len(tail)),
}
try:
    request = urllib.request.Request(f"{URL}/audio/transcriptions", parts(), headers)
    with urllib.request.urlopen(request) as answer:
        print(answer.read().decode(), end="")
except urllib.error.HTTPError as error:
    sys.exit(f"{error.code}: {json.load(error)['error']['message']}")
