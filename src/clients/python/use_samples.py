"""Runs samples of OpenAI's guides as people copy them: `OpenAI()` finds base URL and key in the environment, and models and voices have OpenAI's names."""

import base64
import os
from pathlib import Path

from openai import OpenAI

from cases import case, run, same

os.chdir(os.environ["SAMPLES_FOLDER"])
client = OpenAI()


@case("chat")
def _():
    completion = client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {"role": "developer", "content": "You are a helpful assistant."},
            {"role": "user", "content": "What is the capital of France?"},
        ],
    )
    assert "Paris" in completion.choices[0].message.content, completion


@case("chat, streamed")
def _():
    stream = client.chat.completions.create(
        model="gpt-4.1",
        messages=[{"role": "user", "content": "What is the capital of France?"}],
        stream=True,
    )
    words = [chunk.choices[0].delta.content or "" for chunk in stream]
    assert "Paris" in "".join(words) and len(words) > 3, words


@case("responses")
def _():
    response = client.responses.create(model="gpt-5", instructions="Answer in one sentence.", input="What is the capital of France?")
    assert "Paris" in response.output_text, response


@case("responses, streamed")
def _():
    stream = client.responses.create(
        model="gpt-5",
        input=[{"role": "user", "content": "What is the capital of France?"}],
        stream=True,
    )
    words = [event.delta for event in stream if event.type == "response.output_text.delta"]
    assert "Paris" in "".join(words) and len(words) > 1, words


@case("a picture by gpt-image-1")
def _():
    prompt = """
    A children's book drawing of a veterinarian using a stethoscope to
    listen to the heartbeat of a baby otter.
    """
    result = client.images.generate(model="gpt-image-1", prompt=prompt)
    image_base64 = result.data[0].b64_json
    image_bytes = base64.b64decode(image_base64)
    with open("otter.png", "wb") as file:
        file.write(image_bytes)


@case("a picture by dall-e-3")
def _():
    response = client.images.generate(
        model="dall-e-3",
        prompt="a white siamese cat",
        size="1024x1024",
        quality="standard",
        n=1,
    )
    image_url = response.data[0].url
    Path("cat.url").write_text(image_url)


@case("a picture of several references")
def _():
    prompt = """
    Generate a photorealistic image of a gift basket on a white background
    labeled 'Relax & Unwind' with a ribbon and handwriting-like font,
    containing all the items in the reference pictures.
    """
    result = client.images.edit(
        model="gpt-image-1",
        image=[
            open("body-lotion.png", "rb"),
            open("bath-bomb.png", "rb"),
            open("incense-kit.png", "rb"),
            open("soap.png", "rb"),
        ],
        prompt=prompt,
    )
    with open("gift-basket.png", "wb") as file:
        file.write(base64.b64decode(result.data[0].b64_json))


@case("speech, streamed into a file")
def _():
    speech_file_path = Path("speech.mp3")
    with client.audio.speech.with_streaming_response.create(
        model="gpt-4o-mini-tts",
        voice="coral",
        input="Today is a wonderful day to build something people love!",
        instructions="Speak in a cheerful and positive tone.",
    ) as response:
        response.stream_to_file(speech_file_path)


@case("transcriptions: with times, streamed")
def _():
    audio_file = open("speech.mp3", "rb")
    timed = client.audio.transcriptions.create(
        file=audio_file,
        model="whisper-1",
        response_format="verbose_json",
        timestamp_granularities=["word"],
    )
    assert "wonderful" in [word.word.strip().lower() for word in timed.words], timed.words
    audio_file = open("speech.mp3", "rb")
    stream = client.audio.transcriptions.create(model="gpt-4o-mini-transcribe", file=audio_file, stream=True)
    events = list(stream)
    same(events[-1].type, "transcript.text.done")
    assert "wonderful day" in events[-1].text, events[-1]


@case("a video")
def _():
    video = client.videos.create(model="sora-2", prompt="A video of a cool cat on a motorcycle in the night")
    same((video.object, video.model is not None), ("video", True))
    video = client.videos.poll(video.id)
    same((video.status, video.error), ("completed", None))
    content = client.videos.download_content(video.id, variant="video")
    content.write_to_file("video.mp4")


@case("the models")
def _():
    ids = [model.id for model in client.models.list()]
    for name in ("gpt-4o", "gpt-image-1", "whisper-1", "sora-2"):
        assert name in ids, ids
        same(client.models.retrieve(name).id, name)


run()
