"""Receives webhooks, verifies their signatures and prints what has ended.

    WEBHOOK_SECRET=hook-secret python3 webhook.py [port]

WEBHOOK_SECRET is the task's `webhook_secret`, or the account's secret of webhooks.
Needs Python 3.9 or later and no package.
"""
import base64
import hashlib
import hmac
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
# Behind `whsec_` the key is base64; any other secret is the key as text.
KEY = base64.b64decode(SECRET[len("whsec_") :] + "==") if SECRET.startswith("whsec_") else SECRET.encode()
seen = set()


def reason_to_refuse(headers, body):
    """A sentence for a delivery that the gateway did not sign, or not now; None for one that it did."""
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal():
        return "webhook-timestamp is missing."
    # An old delivery may be one that somebody recorded and sends again.
    if abs(time.time() - int(sent_at)) > 300:
        return "webhook-timestamp is more than five minutes away."
    signed = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # There may be several signatures with blanks between: one for each secret that is valid now.
    signatures = headers.get("webhook-signature", "").encode().split()
    if any([hmac.compare_digest(each, expected) for each in signatures]):
        return None
    return "webhook-signature does not fit."


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        reason = reason_to_refuse(self.headers, body)
        # Answer at once and do the work afterwards: a delivery without an answer in 30 s is sent again.
        text = b"" if reason is None else f"{reason}\n".encode()
        self.send_response(401 if reason else 204)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        # A delivery may come more than once, always with the same id.
        delivery = self.headers.get("webhook-id")
        if reason is None and delivery not in seen:
            seen.add(delivery)
            print(delivery, body.decode(), flush=True)

    def log_message(self, *_):
        """Nothing is logged for each request."""


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9000), Receiver)
print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
