"""Azure's client for fast transcription, with the gateway as its endpoint."""

# Client: Azure fast transcription (pypi azure-ai-transcription): transcribeFast.

import base64
import io
import os

from azure.ai.transcription import TranscriptionClient
from azure.ai.transcription.models import PhraseListProperties, TranscriptionContent, TranscriptionDiarizationOptions, TranscriptionOptions
from azure.core.credentials import AzureKeyCredential
from azure.core.exceptions import ClientAuthenticationError, HttpResponseError

from cases import KEY, URL, case, refused, run, same

client = TranscriptionClient(endpoint=URL, credential=AzureKeyCredential(KEY))
SOUND = base64.b64decode(os.environ["SOUND_BASE64"])
TEXT = "One two three four. Five"


@case("a file")
def _():
    options = TranscriptionOptions(locales=["en-US"], profanity_filter_mode="None")
    result = client.transcribe(TranscriptionContent(definition=options, audio=("a.wav", io.BytesIO(SOUND))))
    same([result.combined_phrases[0].text, result.phrases[0].locale], [TEXT, "en-US"])
    same(result.phrases[1].words[0].text, "Five")


@case("a URL")
def _():
    result = client.transcribe_from_url(os.environ["SOUND_URL"], options=TranscriptionOptions(locales=["de-DE"]))
    same([result.combined_phrases[0].text, result.phrases[0].locale], [TEXT, "de-DE"])


@case("speakers and phrases that are expected")
def _():
    options = TranscriptionOptions(
        locales=["en-US"],
        diarization_options=TranscriptionDiarizationOptions(max_speakers=2),
        phrase_list=PhraseListProperties(phrases=["Contoso"]),
    )
    result = client.transcribe(TranscriptionContent(definition=options, audio=("a.wav", io.BytesIO(SOUND))))
    same(result.phrases[0].speaker, 1)


@case("a wrong key, and what is no sound")
def _():
    nobody = TranscriptionClient(endpoint=URL, credential=AzureKeyCredential("sk-nobody"))
    refused(ClientAuthenticationError, lambda: nobody.transcribe_from_url(os.environ["SOUND_URL"]))
    content = TranscriptionContent(definition=TranscriptionOptions(), audio=("a.wav", io.BytesIO(b"no sound")))
    same(refused(HttpResponseError, lambda: client.transcribe(content)).status_code, 400)


run()
