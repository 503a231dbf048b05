"""OpenAI's own client, unchanged and with only the base URL and a key."""

# Client: openai (pypi openai): listModels, getModel, createChatCompletion, createResponse,
# getResponse, deleteResponse, listInputItems.

import time
import uuid

import openai

from cases import FACTS, KEY, URL, Report, async_refused, case, refused, run, same

CHAT = ["translated", "relayed", "over-chat", "over-responses", "chained"]
RESPONSES = ["translated", "relayed", "over-chat", "chained"]
# What a client sends and reads depends only on whether its words are relayed or translated: the older version runs on one route of each kind.
if openai.VERSION.startswith("2."):
    CHAT = RESPONSES = ["translated", "relayed"]
HELLO = [{"role": "user", "content": "hello"}]

client = openai.OpenAI(base_url=URL, api_key=KEY)


def patient():
    return openai.AsyncOpenAI(base_url=URL, api_key=KEY)


PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
CHAT_TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": PARAMETERS, "strict": True}}
TOOL = {"type": "function", "name": "get_weather", "parameters": PARAMETERS, "strict": True}

for model in CHAT:

    @case(f"chat, {model}: an answer has text, usage and a request id")
    def _(model=model):
        answer = client.chat.completions.create(model=model, messages=HELLO)
        same(answer.choices[0].message.content, "1: hello")
        same((answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens), (7, 3, 10))
        assert answer._request_id

    @case(f"chat, {model}: a stream brings the words, then the usage, also to an async client")
    async def _(model=model):
        asked = dict(model=model, messages=HELLO, stream=True, stream_options={"include_usage": True})
        chunks = list(client.chat.completions.create(**asked))
        async with patient() as other:
            others = [chunk async for chunk in await other.chat.completions.create(**asked)]
        for got in (chunks, others):
            same("".join(chunk.choices[0].delta.content or "" for chunk in got if chunk.choices), "1: hello")
            same(got[-1].usage.total_tokens, 10)

    @case(f"chat, {model}: a tool is called and its word read")
    def _(model=model):
        messages = [{"role": "user", "content": "use get_weather"}]
        asked = client.chat.completions.create(model=model, messages=messages, tools=[CHAT_TOOL]).choices[0]
        same(asked.finish_reason, "tool_calls")
        call = asked.message.tool_calls[0]
        same((call.function.name, call.function.arguments), ("get_weather", '{"city":"Paris"}'))
        messages += [asked.message, {"role": "tool", "tool_call_id": call.id, "content": "rain"}]
        answer = client.chat.completions.create(model=model, messages=messages, tools=[CHAT_TOOL])
        same(answer.choices[0].message.content, "The tool says rain.")

    @case(f"chat, {model}: the stream helper collects a call")
    def _(model=model):
        messages = [{"role": "user", "content": "use get_weather"}]
        with client.chat.completions.stream(model=model, messages=messages, tools=[CHAT_TOOL]) as stream:
            kinds = [event.type for event in stream]
            call = stream.get_final_completion().choices[0].message.tool_calls[0]
        assert "tool_calls.function.arguments.done" in kinds, kinds
        same(call.function.parsed_arguments, {"city": "Paris"})

    @case(f"chat, {model}: parse gives the object of a pydantic model, also streamed")
    def _(model=model):
        asked = dict(model=model, messages=[{"role": "user", "content": "report"}], response_format=Report)
        same(client.chat.completions.parse(**asked).choices[0].message.parsed, Report(**FACTS))
        with client.chat.completions.stream(**asked) as stream:
            same(stream.get_final_completion().choices[0].message.parsed, Report(**FACTS))



@case("Azure's client: the deployment is the model, streamed too, and an unknown one is not found")
def _():
    azure = openai.AzureOpenAI(azure_endpoint=URL.split("/v1/")[0], api_key=KEY, api_version="2024-10-21")
    answer = azure.chat.completions.create(model="translated", messages=HELLO)
    same(answer.choices[0].message.content, "1: hello")
    chunks = azure.chat.completions.create(model="relayed", messages=HELLO, stream=True)
    same("".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices), "1: hello")
    same(azure.responses.create(model="translated", input="hello").output_text, "1: hello")
    error = refused(openai.NotFoundError, lambda: azure.chat.completions.create(model="nobody", messages=HELLO))
    same(error.param, "deployment")


@case("a stored completion is read, listed and deleted")
def _():
    kept = client.chat.completions.create(model="translated", messages=HELLO, store=True, metadata={"made": "in Python"})
    same(client.chat.completions.retrieve(kept.id).choices[0].message.content, "1: hello")
    same([each.id for each in client.chat.completions.list(metadata={"made": "in Python"})], [kept.id])
    same([message.content for message in client.chat.completions.messages.list(kept.id)], ["hello"])
    same(client.chat.completions.delete(kept.id).deleted, True)


for model in RESPONSES:

    @case(f"responses, {model}: a response has its text and usage, and can be read again")
    async def _(model=model):
        created = client.responses.create(model=model, input="hello", instructions="Be short.")
        same((created.status, created.output_text, created.usage.total_tokens), ("completed", "1: hello", 10))
        async with patient() as other:
            same((await other.responses.retrieve(created.id)).output_text, "1: hello")

    @case(f"responses, {model}: the stream helper's response is the one that is kept")
    async def _(model=model):
        async with patient() as other:
            async with other.responses.stream(model=model, input="hello") as stream:
                words = [event.delta async for event in stream if event.type == "response.output_text.delta"]
                final = await stream.get_final_response()
            same(("".join(words), final.output_text), ("1: hello", "1: hello"))
            same((await other.responses.retrieve(final.id)).output_text, "1: hello")

    @case(f"responses, {model}: a function's output is read over previous_response_id")
    def _(model=model):
        first = client.responses.create(model=model, input="use get_weather", tools=[TOOL])
        call = next(item for item in first.output if item.type == "function_call")
        result = {"type": "function_call_output", "call_id": call.call_id, "output": "rain"}
        second = client.responses.create(model=model, input=[result], tools=[TOOL], previous_response_id=first.id)
        same(second.output_text, "The tool says rain.")
        third = client.responses.create(model=model, input="and now?", previous_response_id=second.id)
        same(third.output_text, "2: and now?")

    @case(f"responses, {model}: a caller that keeps the conversation itself sends the output back as input")
    def _(model=model):
        items = [{"role": "user", "content": "think, use get_weather"}]
        asked = dict(model=model, store=False, include=["reasoning.encrypted_content"], tools=[TOOL])
        first = client.responses.create(input=items, **asked)
        same([item.type for item in first.output], ["reasoning", "function_call"])
        items += first.output
        items.append({"type": "function_call_output", "call_id": first.output[1].call_id, "output": "rain"})
        same(client.responses.create(input=items, **asked).output_text, "The tool says rain.")

    @case(f"responses, {model}: parse gives the object of a pydantic model, also streamed")
    def _(model=model):
        same(client.responses.parse(model=model, input="report", text_format=Report).output_parsed, Report(**FACTS))
        with client.responses.stream(model=model, input="report", text_format=Report) as stream:
            same(stream.get_final_response().output_parsed, Report(**FACTS))

    @case(f"responses, {model}: input items are listed, a background response polled, a deleted one gone")
    def _(model=model):
        queued = client.responses.create(model=model, input="hello", background=True)
        for _ in range(600):
            now = client.responses.retrieve(queued.id)
            if now.status not in ("queued", "in_progress"):
                break
            time.sleep(0.05)
        same((now.status, now.output_text), ("completed", "1: hello"))
        same([item.content[0].text for item in client.responses.input_items.list(queued.id)], ["hello"])
        client.responses.delete(queued.id)
        refused(openai.NotFoundError, lambda: client.responses.retrieve(queued.id))


@case("a wrong key is an AuthenticationError, whole, streamed and async")
async def _():
    stranger = openai.OpenAI(base_url=URL, api_key="sk-nobody-has-this-key")
    ask = stranger.chat.completions.create
    error = refused(openai.AuthenticationError, lambda: ask(model="relayed", messages=HELLO))
    same((error.status_code, error.code), (401, "invalid_api_key"))
    refused(openai.AuthenticationError, lambda: ask(model="relayed", messages=HELLO, stream=True))
    async with openai.AsyncOpenAI(base_url=URL, api_key="sk-nobody-has-this-key") as other:
        await async_refused(openai.AuthenticationError, other.responses.create(model="relayed", input="x"))


@case("an unknown model is a NotFoundError that names it")
def _():
    for ask in (
        lambda: client.chat.completions.create(model="gpt-nowhere", messages=HELLO),
        lambda: client.responses.create(model="gpt-nowhere", input="x"),
        lambda: client.models.retrieve("gpt-nowhere"),
    ):
        error = refused(openai.NotFoundError, ask)
        assert error.code == "model_not_found" and "gpt-nowhere" in error.message, error.message


@case("a bad parameter is a BadRequestError with its name")
def _():
    for model in RESPONSES:
        ask = lambda: client.chat.completions.create(model=model, messages=HELLO, temperature=3)
        same(refused(openai.BadRequestError, ask).param, "temperature")
        ask = lambda: client.responses.create(model=model, input="x", previous_response_id="resp_none")
        same(refused(openai.BadRequestError, ask).param, "previous_response_id")


@case("a failure within a stream is an APIError with its sentence")
def _():
    for model in CHAT:
        stream = client.chat.completions.create(
            model=model, messages=[{"role": "user", "content": "fail"}], stream=True
        )
        error = refused(openai.APIError, lambda: list(stream))
        assert "scripted model has failed" in error.message, error.message


@case("a 429 is a RateLimitError with its Retry-After, and is tried again after it")
def _():
    for model in ("far-relayed", "far-chat", "far-responses"):
        asked = dict(model=model, messages=[{"role": "user", "content": f"limited {uuid.uuid4()}"}])
        error = refused(openai.RateLimitError, lambda: client.with_options(max_retries=0).chat.completions.create(**asked))
        same(error.response.headers.get("retry-after"), "1")
        time.sleep(1.1)
        asked["messages"][0]["content"] = f"limited {uuid.uuid4()}"
        began = time.monotonic()
        same(client.chat.completions.create(**asked).choices[0].message.content, "Hello from upstream")
        assert time.monotonic() - began > 0.9, "it has not waited"


@case("a context overflow keeps its code and OpenAI's words")
def _():
    for model in ("far-relayed", "far-chat", "far-responses"):
        for ask in (
            lambda: client.chat.completions.create(model=model, messages=[{"role": "user", "content": "overflow"}]),
            lambda: client.responses.create(model=model, input="overflow"),
        ):
            error = refused(openai.BadRequestError, ask)
            same(error.code, "context_length_exceeded")
            assert "maximum context length is 8 tokens" in error.message, error.message


@case("models are listed")
async def _():
    ids = [model.id for model in client.models.list()]
    assert set(CHAT) <= set(ids), ids
    async with patient() as other:
        assert "relayed" in [model.id async for model in other.models.list()]


run()
