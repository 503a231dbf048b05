"""Google's client in its mode for the Gemini API, unchanged, with the gateway's address as its base URL."""

# Client: google-genai (pypi google-genai): generateContent, streamGenerateContentEvents, countContentTokens, listContentModels.

from google import genai
from google.genai import errors, types
from pydantic import BaseModel

from cases import KEY, URL, case, refused, run, same

MODELS = ("translated", "over-chat", "over-responses", "chained")
PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364f8ffff3f0005fe02fea7d6059b0000000049454e44ae426082")


# The class has no docstring, because clients would send it with the schema.
class Report(BaseModel):
    city: str
    degrees: int


def client_with(key=KEY):
    return genai.Client(api_key=key, http_options=types.HttpOptions(base_url=URL))


client = client_with()


def get_weather(city: str) -> dict:
    """Weather of a city."""
    return {"degrees": 21}


for model in MODELS:

    @case(f"{model}: whole, streamed and in a chat")
    def _(model=model):
        whole = client.models.generate_content(model=model, contents="hello", config={"system_instruction": "Be brief.", "top_k": 5})
        same(whole.text, "1: hello")
        same(whole.candidates[0].finish_reason, types.FinishReason.STOP)
        assert whole.usage_metadata.total_token_count > 0
        pieces = list(client.models.generate_content_stream(model=model, contents="hello"))
        same("".join(piece.text or "" for piece in pieces), "1: hello")
        chat = client.chats.create(model=model)
        "".join(piece.text or "" for piece in chat.send_message_stream("one"))
        same(chat.send_message("two").text, "2: two")

    @case(f"{model}: the client calls a function by itself")
    def _(model=model):
        answer = client.models.generate_content(model=model, contents="use get_weather", config={"tools": [get_weather]})
        same(answer.text, 'The tool says {"result":{"degrees":21}}.')

    @case(f"{model}: thoughts come back signed, and the chat goes on")
    def _(model=model):
        config = {"tools": [get_weather], "thinking_config": {"include_thoughts": True, "thinking_budget": 2000}, "automatic_function_calling": {"disable": True}}
        chat = client.chats.create(model=model, config=config)
        pieces = list(chat.send_message_stream("think, then use get_weather"))
        parts = [part for piece in pieces for part in piece.candidates[0].content.parts or []]
        same("".join(part.text for part in parts if part.thought), "Hm.")
        [call] = [part for part in parts if part.function_call]
        assert isinstance(call.thought_signature, bytes), call
        reply = types.Part.from_function_response(name="get_weather", response={"output": "cold"})
        same(chat.send_message(reply).text, "The tool says cold.")

    @case(f"{model}: an answer by a schema, and a picture")
    def _(model=model):
        picture = types.Part.from_bytes(data=PIXEL, mime_type="image/png")
        config = {"response_mime_type": "application/json", "response_schema": Report}
        answer = client.models.generate_content(model=model, contents=[picture, "report"], config=config)
        same(answer.parsed, Report(city="Paris", degrees=21))


@case("async, several candidates, a count of tokens, the list of models")
async def _():
    answer = await client.aio.models.generate_content(model="translated", contents="hello", config={"candidate_count": 2})
    same([each.content.parts[0].text for each in answer.candidates], ["1: hello", "1: hello"])
    counted = await client.aio.models.count_tokens(model="translated", contents="hello")
    assert counted.total_tokens > 0
    names = [each.name for each in client.models.list(config={"page_size": 2})]
    assert "models/translated" in names and "models/chained" in names, names


@case("errors are the client's own, also within a stream")
def _():
    error = refused(errors.ClientError, lambda: client.models.generate_content(model="none", contents="x"))
    same((error.code, error.status), (404, "NOT_FOUND"))
    stranger = client_with("wrong")
    error = refused(errors.ClientError, lambda: stranger.models.generate_content(model="translated", contents="x"))
    same((error.code, error.status), (401, "UNAUTHENTICATED"))
    texts = []

    def broken():
        for piece in client.models.generate_content_stream(model="translated", contents="fail"):
            texts.append(piece.text)

    error = refused(errors.APIError, broken)
    assert "scripted model has failed" in str(error), error
    same("".join(text for text in texts if text), "One ")


run()
