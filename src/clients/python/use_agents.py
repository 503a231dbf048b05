"""Tests OpenAI's Agents SDK, unchanged: with Responses, its default, and with chat completions."""

# Client: openai-agents (pypi openai-agents): createResponse, createChatCompletion.

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    SQLiteSession,
    function_tool,
)
from openai import AsyncOpenAI, AuthenticationError, NotFoundError

from cases import FACTS, KEY, URL, Report, async_refused, case, run, same

CLASSES = {"responses": OpenAIResponsesModel, "chat": OpenAIChatCompletionsModel}


@function_tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    same(city, "Paris")
    return "rain"


def agent(kind, model, key=KEY, **settings):
    chosen = CLASSES[kind](model=model, openai_client=AsyncOpenAI(base_url=URL, api_key=key))
    return Agent(name="Helper", instructions="Be short.", model=chosen, **settings)


for kind in CLASSES:
    for model in ("translated", "relayed", "over-chat", "chained"):

        @case(f"{kind}, {model}: an answer has text and usage")
        async def _(kind=kind, model=model):
            result = await Runner.run(agent(kind, model), "hello")
            same(result.final_output, "1: hello")
            same(result.context_wrapper.usage.total_tokens, 10)

        @case(f"{kind}, {model}: a tool is called and its word read, whole and streamed")
        async def _(kind=kind, model=model):
            helper = agent(kind, model, tools=[get_weather])
            same((await Runner.run(helper, "use get_weather")).final_output, "The tool says rain.")
            streamed = Runner.run_streamed(helper, "use get_weather")
            names = [event.name async for event in streamed.stream_events() if event.type == "run_item_stream_event"]
            same(names, ["tool_called", "tool_output", "message_output_created"])
            same(streamed.final_output, "The tool says rain.")

        @case(f"{kind}, {model}: an object comes by its pydantic model")
        async def _(kind=kind, model=model):
            result = await Runner.run(agent(kind, model, output_type=Report), "report")
            same(result.final_output, Report(**FACTS))

        @case(f"{kind}, {model}: a session keeps the conversation, tool calls and all")
        async def _(kind=kind, model=model):
            session = SQLiteSession("one")
            helper = agent(kind, model, tools=[get_weather])
            await Runner.run(helper, "use get_weather", session=session)
            same((await Runner.run(helper, "and now?", session=session)).final_output, "2: and now?")

        @case(f"{kind}, {model}: a run is handed over to another agent")
        async def _(kind=kind, model=model):
            other = agent(kind, model)
            other.name = "Poet"
            result = await Runner.run(agent(kind, model, handoffs=[other]), "use transfer_to_poet")
            same(result.last_agent.name, "Poet")


for model in ("translated", "relayed", "over-chat", "chained"):

    @case(f"responses, {model}: a conversation goes on by previous_response_id")
    async def _(model=model):
        helper = agent("responses", model, tools=[get_weather])
        first = await Runner.run(helper, "use get_weather", auto_previous_response_id=True)
        same(first.final_output, "The tool says rain.")
        second = await Runner.run(helper, "and now?", previous_response_id=first.last_response_id)
        same(second.final_output, "2: and now?")


@case("refusals are openai's own errors")
async def _():
    for kind in CLASSES:
        await async_refused(AuthenticationError, Runner.run(agent(kind, "relayed", "sk-nobody-has-this-key"), "x"))
        error = await async_refused(NotFoundError, Runner.run(agent(kind, "gpt-nowhere"), "x"))
        assert "gpt-nowhere" in error.message, error.message


run()
