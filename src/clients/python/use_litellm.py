"""Tests LiteLLM as an SDK, unchanged: its provider for OpenAI, and its older one for chat."""

# Client: LiteLLM (pypi litellm): createChatCompletion, createResponse.

import time
import uuid

import litellm

from cases import FACTS, KEY, TOOL, URL, Report, async_refused, case, refused, run, same, user

HELLO = [{"role": "user", "content": "hello"}]
TO = dict(api_base=URL, api_key=KEY)


for model in ("translated", "relayed", "over-chat", "over-responses", "chained"):
    name = f"openai/{model}"

    @case(f"completion, {model}: an answer has text and usage, also async")
    async def _(name=name):
        for answer in (litellm.completion(model=name, messages=HELLO, **TO), await litellm.acompletion(model=name, messages=HELLO, **TO)):
            same((answer.choices[0].message.content, answer.usage.total_tokens), ("1: hello", 10))

    @case(f"completion, {model}: a stream brings the words, then the usage")
    def _(name=name):
        asked = dict(stream=True, stream_options={"include_usage": True})
        chunks = list(litellm.completion(model=name, messages=HELLO, **asked, **TO))
        same("".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices), "1: hello")
        same(litellm.stream_chunk_builder(chunks).usage.total_tokens, 10)

    @case(f"completion, {model}: a tool is called and its word read")
    def _(name=name):
        messages = user("use get_weather")
        asked = litellm.completion(model=name, messages=messages, tools=[TOOL], **TO).choices[0].message
        same(asked.tool_calls[0].function.arguments, '{"city":"Paris"}')
        messages += [asked, {"role": "tool", "tool_call_id": asked.tool_calls[0].id, "content": "rain"}]
        answer = litellm.completion(model=name, messages=messages, tools=[TOOL], **TO)
        same(answer.choices[0].message.content, "The tool says rain.")

    @case(f"completion, {model}: an object comes by its pydantic model")
    def _(name=name):
        answer = litellm.completion(model=name, messages=user("report"), response_format=Report, **TO)
        same(Report.model_validate_json(answer.choices[0].message.content), Report(**FACTS))


for model in ("translated", "relayed", "over-chat", "chained"):
    name = f"openai/{model}"

    @case(f"responses, {model}: a conversation goes on by previous_response_id, also streamed")
    def _(name=name):
        first = litellm.responses(model=name, input="hello", **TO)
        same(first.output_text, "1: hello")
        second = litellm.responses(model=name, input="and now?", previous_response_id=first.id, **TO)
        same(second.output_text, "2: and now?")
        events = list(litellm.responses(model=name, input="once more", previous_response_id=second.id, stream=True, **TO))
        same(events[-1].response.output[0].content[0].text, "3: once more")
        same(litellm.get_responses(second.id, **TO).output_text, "2: and now?")


@case("refusals are LiteLLM's own errors")
async def _():
    ask = lambda model, **more: lambda: litellm.completion(model=f"openai/{model}", messages=HELLO, **{**TO, **more})
    refused(litellm.AuthenticationError, ask("relayed", api_key="sk-nobody-has-this-key"))
    assert "gpt-nowhere" in str(refused(litellm.NotFoundError, ask("gpt-nowhere")))
    refused(litellm.BadRequestError, ask("relayed", temperature=3))
    stranger = {**TO, "api_key": "sk-nobody-has-this-key"}
    await async_refused(litellm.AuthenticationError, litellm.aresponses(model="openai/relayed", input="x", **stranger))


@case("a context overflow is a ContextWindowExceededError")
def _():
    for model in ("far-relayed", "far-chat", "far-responses"):
        name = f"openai/{model}"
        refused(litellm.ContextWindowExceededError, lambda: litellm.completion(model=name, messages=user("overflow"), **TO))
        refused(litellm.ContextWindowExceededError, lambda: litellm.responses(model=name, input="overflow", **TO))


@case("a 429 is a RateLimitError, and is tried again after its Retry-After")
def _():
    for model in ("far-relayed", "far-chat", "far-responses"):
        name = f"openai/{model}"
        limited = user(f"limited {uuid.uuid4()}")
        error = refused(litellm.RateLimitError, lambda: litellm.completion(model=name, messages=limited, max_retries=0, **TO))
        same(error.litellm_response_headers.get("retry-after"), "1")
        time.sleep(1.1)
        began = time.monotonic()
        answer = litellm.completion(model=name, messages=user(f"limited {uuid.uuid4()}"), max_retries=2, **TO)
        same(answer.choices[0].message.content, "Hello from upstream")
        assert time.monotonic() - began > 0.9, "it has not waited"


run()
