"""Tests LiteLLM as a proxy, unchanged: in front of the gateway, and as its upstream. OpenAI's client calls both."""

# Client: LiteLLM (pypi litellm): createChatCompletion, createResponse.

import os

import openai

from cases import FACTS, KEY, TOOL, URL, Report, case, refused, run, same, user

before = openai.OpenAI(base_url=os.environ["PROXY_URL"], api_key=os.environ["PROXY_KEY"])
gateway = openai.OpenAI(base_url=URL, api_key=KEY)

PLACES = {f"before the gateway, {model}": (before, model) for model in ("translated", "relayed", "over-chat", "chained")}
PLACES |= {f"behind the gateway, {model}": (gateway, model) for model in ("behind-litellm", "behind-chat")}


for place, (client, model) in PLACES.items():

    @case(f"{place}: chat has text and usage, whole and streamed")
    def _(client=client, model=model):
        answer = client.chat.completions.create(model=model, messages=user("hello"))
        same((answer.choices[0].message.content, answer.usage.total_tokens), ("1: hello", 10))
        asked = dict(stream=True, stream_options={"include_usage": True})
        chunks = list(client.chat.completions.create(model=model, messages=user("hello"), **asked))
        same("".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices), "1: hello")
        same(chunks[-1].usage.total_tokens, 10)

    @case(f"{place}: a tool is called and its word read")
    def _(client=client, model=model):
        messages = user("use get_weather")
        asked = client.chat.completions.create(model=model, messages=messages, tools=[TOOL]).choices[0].message
        same(asked.tool_calls[0].function.arguments, '{"city":"Paris"}')
        messages += [asked, {"role": "tool", "tool_call_id": asked.tool_calls[0].id, "content": "rain"}]
        answer = client.chat.completions.create(model=model, messages=messages, tools=[TOOL])
        same(answer.choices[0].message.content, "The tool says rain.")

    @case(f"{place}: parse gives the object of a pydantic model")
    def _(client=client, model=model):
        asked = dict(model=model, messages=user("report"), response_format=Report)
        same(client.chat.completions.parse(**asked).choices[0].message.parsed, Report(**FACTS))

    @case(f"{place}: a response goes on by previous_response_id, whole and streamed")
    def _(client=client, model=model):
        first = client.responses.create(model=model, input="hello")
        second = client.responses.create(model=model, input="and now?", previous_response_id=first.id)
        same((first.output_text, second.output_text), ("1: hello", "2: and now?"))
        with client.responses.stream(model=model, input="once more", previous_response_id=second.id) as stream:
            same(stream.get_final_response().output_text, "3: once more")


@case("before the gateway: refusals keep their status")
def _():
    for model, text, kind in (("gpt-nowhere", "x", openai.NotFoundError), ("far-relayed", "overflow", openai.BadRequestError)):
        error = refused(kind, lambda: before.chat.completions.create(model=model, messages=user(text)))
        assert model == "far-relayed" or "gpt-nowhere" in str(error), error


@case("behind the gateway: an overflow keeps OpenAI's words")
def _():
    for model in ("behind-far", "behind-far-chat"):
        error = refused(openai.BadRequestError, lambda: gateway.chat.completions.create(model=model, messages=user("overflow")))
        assert "maximum context length is 8 tokens" in str(error), error


run()
