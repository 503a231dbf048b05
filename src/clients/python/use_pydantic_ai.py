"""Tests Pydantic AI, unchanged, with chat completions and with Responses."""

# Client: pydantic-ai (pypi pydantic-ai-slim): createChatCompletion, createResponse.

from pydantic_ai import Agent, ModelHTTPError, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from cases import FACTS, KEY, URL, Report, async_refused, case, run, same

CLASSES = {"chat": OpenAIChatModel, "responses": OpenAIResponsesModel}


def agent(kind, model, key=KEY, **settings):
    return Agent(CLASSES[kind](model, provider=OpenAIProvider(base_url=URL, api_key=key)), **settings)


def get_weather(city: str) -> str:
    """The weather of a city."""
    same(city, "Paris")
    return "rain"


for kind in CLASSES:
    for model in ("translated", "relayed", "over-chat", "chained"):

        @case(f"{kind}, {model}: an answer has text and usage, sync")
        def _(kind=kind, model=model):
            result = agent(kind, model, instructions="Be short.").run_sync("hello")
            same((result.output, result.usage.total_tokens), ("1: hello", 10))

        @case(f"{kind}, {model}: a stream brings the words")
        async def _(kind=kind, model=model):
            async with agent(kind, model).run_stream("hello") as result:
                words = [word async for word in result.stream_text(delta=True, debounce_by=None)]
                same(("".join(words), result.usage.total_tokens), ("1: hello", 10))

        @case(f"{kind}, {model}: a tool is called and its word read, whole and streamed")
        async def _(kind=kind, model=model):
            helper = agent(kind, model, tools=[get_weather])
            same((await helper.run("use get_weather")).output, "The tool says rain.")
            async with helper.run_stream("use get_weather") as result:
                same(await result.get_output(), "The tool says rain.")

        @case(f"{kind}, {model}: an object comes by a tool, and by the schema of the answer")
        async def _(kind=kind, model=model):
            for output_type in (Report, NativeOutput(Report)):
                same((await agent(kind, model, output_type=output_type).run("report")).output, Report(**FACTS))

        @case(f"{kind}, {model}: a conversation goes on with the messages of the turns before")
        async def _(kind=kind, model=model):
            helper = agent(kind, model, tools=[get_weather])
            first = await helper.run("think, use get_weather")
            same(first.output, "The tool says rain.")
            second = await helper.run("and now?", message_history=first.all_messages())
            same(second.output, "2: and now?")

    @case(f"{kind}: refusals have their status and sentence")
    async def _(kind=kind):
        same((await async_refused(ModelHTTPError, agent(kind, "relayed", "sk-nobody-has-this-key").run("x"))).status_code, 401)
        error = await async_refused(ModelHTTPError, agent(kind, "gpt-nowhere").run("x"))
        assert error.status_code == 404 and "gpt-nowhere" in str(error.body), error
        error = await async_refused(ModelHTTPError, agent(kind, "far-relayed").run("overflow"))
        same((error.status_code, error.body["code"]), (400, "context_length_exceeded"))


@case("responses: a conversation goes on by previous_response_id")
async def _():
    helper = agent("responses", "relayed")
    first = await helper.run("hello")
    settings = {"openai_previous_response_id": first.response.provider_response_id}
    same((await helper.run("and now?", model_settings=settings)).output, "2: and now?")


run()
