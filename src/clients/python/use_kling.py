"""A program as in Kling's documentation: it makes a token with PyJWT, creates a task and polls it."""

# Client: Kling (the sample of its documentation): generateVideoFromText, getVideoFromText.

import os
import time

import jwt
import requests

from cases import URL, case, run, same

ACCESS_KEY = os.environ["KLING_ACCESS_KEY"]
SECRET_KEY = os.environ["KLING_SECRET_KEY"]


def encode_jwt_token(ak, sk):
    headers = {"alg": "HS256", "typ": "JWT"}
    payload = {"iss": ak, "exp": int(time.time()) + 1800, "nbf": int(time.time()) - 5}
    return jwt.encode(payload, sk, headers=headers)


def headers(sk=SECRET_KEY):
    return {"Content-Type": "application/json", "Authorization": f"Bearer {encode_jwt_token(ACCESS_KEY, sk)}"}


@case("a video from words, by a signed token")
def _():
    path = f"{URL}/kling/v1/videos/text2video"
    begun = requests.post(path, headers=headers(), json={"model_name": "kling-v1-6", "prompt": "a ferry", "duration": "5"}).json()
    same((begun["code"], begun["data"]["task_status"]), (0, "submitted"))
    while True:
        task = requests.get(f"{path}/{begun['data']['task_id']}", headers=headers()).json()["data"]
        if task["task_status"] not in ("submitted", "processing"):
            break
        time.sleep(0.05)
    [video] = task["task_result"]["videos"]
    assert b"video 0: a ferry" in requests.get(video["url"]).content


@case("a token of another secret is refused")
def _():
    answer = requests.get(f"{URL}/kling/v1/videos/text2video/none", headers=headers("x" * 32))
    same((answer.status_code, answer.json()["code"]), (401, 1002))


run()
