"""Tests Google's client on Veo's paths, in Vertex mode with a project, and with only a key."""

# Client: google-genai (pypi google-genai): generateVideo, getVideoOperation.

import os
import time

from google import genai
from google.genai import errors, types
from google.oauth2.credentials import Credentials

from cases import KEY, URL, case, refused, run, same

MODEL = "veo-3.1-generate-preview"
PNG = bytes.fromhex(os.environ["GATEWAY_PNG"])


def in_project(key=KEY):
    at = dict(project="my-project", location="us-central1", credentials=Credentials(token=key))
    return genai.Client(vertexai=True, http_options=types.HttpOptions(base_url=URL), **at)


def by_key(version="v1"):
    return genai.Client(vertexai=True, api_key=KEY, http_options=types.HttpOptions(base_url=URL, api_version=version))


def made(client, config=None, **asked):
    """Returns the videos of an operation; polls it as Google's samples do."""
    operation = client.models.generate_videos(model=MODEL, config=config, source=types.GenerateVideosSource(**asked))
    while not operation.done:
        time.sleep(0.05)
        operation = client.operations.get(operation)
    same(operation.error, None)
    return operation.response.generated_videos


def check(videos, count=1):
    same([video.video.mime_type for video in videos], ["video/mp4"] * count)
    for index, video in enumerate(videos):
        assert f"video {index}: a ferry".encode() in video.video.video_bytes


@case("a video, with a project and a token")
def _():
    check(made(in_project(), prompt="a ferry"))


@case("a video, with a key alone, at both versions")
def _():
    check(made(by_key(), prompt="a ferry"))
    check(made(by_key("v1beta1"), prompt="a ferry"))


@case("every setting of the client is understood")
def _():
    config = types.GenerateVideosConfig(
        number_of_videos=2,
        duration_seconds=4,
        seed=7,
        aspect_ratio="9:16",
        resolution="1080p",
        person_generation="dont_allow",
        negative_prompt="rain",
        enhance_prompt=True,
        generate_audio=False,
        compression_quality=types.VideoCompressionQuality.OPTIMIZED,
    )
    check(made(in_project(), prompt="a ferry", config=config), 2)


@case("a picture of the first frame")
def _():
    config = types.GenerateVideosConfig(resize_mode=types.ImageResizeMode.CROP)
    check(made(in_project(), prompt="a ferry", image=types.Image(image_bytes=PNG, mime_type="image/png"), config=config))


@case("refusals are the client's own errors")
def _():
    def ask(client, model):
        return lambda: client.models.generate_videos(model=model, source=types.GenerateVideosSource(prompt="a ferry"))

    unknown = refused(errors.ClientError, ask(in_project(), "veo-none"))
    same((unknown.code, unknown.status), (404, "NOT_FOUND"))
    assert unknown.message.startswith('There is no model "veo-none"'), unknown.message
    wrong = refused(errors.ClientError, ask(in_project("wrong"), MODEL))
    same((wrong.code, wrong.status), (401, "UNAUTHENTICATED"))


run()
