"""ElevenLabs' own client with the bare host as its base URL."""

# Client: ElevenLabs (pypi elevenlabs): createVoiceSpeech, createTimedVoiceSpeech,
# streamTimedVoiceSpeech, createScribeTranscription, listVoiceIds, searchVoiceIds, getVoiceId,
# listVoiceModels, getVoiceUser, getVoiceSubscription, createPronunciationDictionary,
# uploadPronunciationDictionary, listPronunciationDictionaries, getPronunciationDictionary.

import base64
import io
import os

from elevenlabs import PronunciationDictionaryVersionLocator, VoiceSettings
from elevenlabs.client import ElevenLabs
from elevenlabs.core.api_error import ApiError

from cases import KEY, URL, case, refused, run, same

client = ElevenLabs(base_url=URL, api_key=KEY)
RACHEL = "21m00Tcm4TlvDq8ikWAM"
MODEL = "eleven_multilingual_v2"
SOUND = base64.b64decode(os.environ["SOUND_BASE64"])


@case("a text is spoken, whole and as a stream")
def _():
    settings = VoiceSettings(stability=0.4, similarity_boost=0.8, speed=1.1)
    whole = b"".join(client.text_to_speech.convert(RACHEL, text="Hello there.", model_id=MODEL, voice_settings=settings))
    streamed = b"".join(client.text_to_speech.stream(RACHEL, text="Hello there.", model_id=MODEL, output_format="mp3_22050_32"))
    assert len(whole) > 1000 and len(streamed) > 1000


@case("with timestamps: a time for each character")
def _():
    spoken = client.text_to_speech.convert_with_timestamps(RACHEL, text="Hello.", model_id=MODEL)
    same(spoken.alignment.characters, list("Hello."))
    assert len(base64.b64decode(spoken.audio_base_64)) > 1000
    lines = list(client.text_to_speech.stream_with_timestamps(RACHEL, text="Hello.", model_id=MODEL))
    same(lines[-1].alignment.characters, list("Hello."))
    same(b"".join(base64.b64decode(line.audio_base_64) for line in lines), base64.b64decode(spoken.audio_base_64))


@case("models and voices: lists, searches, one")
def _():
    assert MODEL in [model.model_id for model in client.models.list()]
    assert RACHEL in [voice.voice_id for voice in client.voices.get_all().voices]
    found = client.voices.search(search="rachel", gender="female", page_size=5)
    same(found.voices[0].voice_id, RACHEL)
    same(client.voices.search(voice_type="personal").total_count, 0)
    same(client.voices.get(RACHEL).name, "Rachel")
    error = refused(ApiError, lambda: client.voices.get("nobody"))
    same(error.status_code, 404)


@case("user and subscription")
def _():
    user = client.user.get()
    same([user.user_id, user.subscription.status], ["default", "active"])
    assert client.user.subscription.get().character_count > 0


@case("speech to text, from a file and from a URL")
def _():
    said = client.speech_to_text.convert(model_id="scribe_v1", file=io.BytesIO(SOUND), language_code="eng", diarize=True)
    same([said.text, said.language_code], ["One two three four. Five", "en"])
    same([said.words[0].text, said.words[0].speaker_id, said.words[1].type], ["One", "speaker_0", "spacing"])
    far = client.speech_to_text.convert(model_id="scribe_v1", cloud_storage_url=os.environ["SOUND_URL"])
    same(far.text, said.text)


@case("pronunciation dictionaries: of rules, of a file, listed, read, used")
def _():
    rules = [{"type": "alias", "string_to_replace": "nginx", "alias": "engine x"}]
    made = client.pronunciation_dictionaries.create_from_rules(name="brands", rules=rules)
    lexicon = b'<lexicon version="1.0" alphabet="ipa"><lexeme><grapheme>W3C</grapheme><alias>the web people</alias></lexeme></lexicon>'
    upload = client.pronunciation_dictionaries.create_from_file(name="words", file=("words.pls", lexicon))
    listed = client.pronunciation_dictionaries.list(page_size=10).pronunciation_dictionaries
    same([each.name for each in listed], ["words", "brands"])
    same(client.pronunciation_dictionaries.get(upload.id).latest_version_rules_num, 1)
    locators = [PronunciationDictionaryVersionLocator(pronunciation_dictionary_id=each.id, version_id=each.version_id) for each in (made, upload)]
    spoken = client.text_to_speech.convert(RACHEL, text="nginx", model_id=MODEL, pronunciation_dictionary_locators=locators)
    assert len(b"".join(spoken)) > 100


run()
