"""Tests Anthropic's client; its base URL is that of an endpoint."""

# Client: Anthropic SDK (pypi anthropic): createMessage, countMessageTokens, listMessagesModels,
# getMessagesModel.

import anthropic

from cases import FACTS, KEY, URL, async_refused, case, refused, run, same, user

ROUTES = ["translated", "relayed", "over-chat", "over-responses", "chained"]
WEATHER = {
    "name": "get_weather",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
client = anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=0)


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


for route in ROUTES:

    @case(f"{route}: whole and streamed answers")
    def _(route=route):
        asked = dict(model=route, max_tokens=100, messages=user("hello"))
        answer = client.messages.create(**asked)
        same((text_of(answer), answer.stop_reason, answer.usage.output_tokens), ("1: hello", "end_turn", 3))
        with client.messages.stream(**asked) as stream:
            same("".join(stream.text_stream), "1: hello")
            same(stream.get_final_message().usage.output_tokens, 3)

    @case(f"{route}: a tool is called, its result read, and thinking sent back")
    def _(route=route):
        asked = dict(model=route, max_tokens=2000, tools=[WEATHER])
        with client.messages.stream(messages=user("think and get_weather"), **asked) as stream:
            first = stream.get_final_message()
        same([block.type for block in first.content][-1], "tool_use")
        call = first.content[-1]
        same((call.name, call.input), ("get_weather", {"city": FACTS["city"]}))
        result = {"type": "tool_result", "tool_use_id": call.id, "content": "rain"}
        turns = [*user("think and get_weather"), {"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
        same(text_of(client.messages.create(messages=turns, **asked)), "The tool says rain.")

    @case(f"{route}: a failure in the stream is raised")
    async def _(route=route):
        asynchronous = anthropic.AsyncAnthropic(base_url=URL, api_key=KEY, max_retries=0)

        async def read():
            async with asynchronous.messages.stream(model=route, max_tokens=100, messages=user("fail")) as stream:
                await stream.get_final_message()

        await async_refused(anthropic.APIError, read())


@case("tokens are counted, models listed and found")
def _():
    assert client.messages.count_tokens(model="translated", messages=user("hello")).input_tokens > 0
    ids = [model.id for model in client.models.list(limit=2)]
    assert set(ROUTES) <= set(ids), ids
    same(client.models.retrieve("relayed").id, "relayed")


@case("errors have their class, type and request id")
def _():
    unknown = refused(anthropic.NotFoundError, lambda: client.messages.create(model="nowhere", max_tokens=9, messages=user("hello")))
    same(unknown.body["error"]["type"], "not_found_error")
    assert unknown.request_id
    wrong = anthropic.Anthropic(base_url=URL, api_key="sk-wrong-key-000000", max_retries=0)
    refused(anthropic.AuthenticationError, lambda: wrong.messages.create(model="relayed", max_tokens=9, messages=user("hello")))
    refused(anthropic.BadRequestError, lambda: client.messages.create(model="relayed", max_tokens=-1, messages=user("hello")))


run()
