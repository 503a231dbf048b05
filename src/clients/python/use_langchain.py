"""Tests LangChain's ChatOpenAI, unchanged, on both protocols that it speaks."""

# Client: LangChain (pypi langchain-openai): createChatCompletion, createResponse.

import openai
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from cases import FACTS, KEY, URL, case, refused, run, same


class Report(BaseModel):
    """What it is like there."""

    city: str
    degrees: int


@tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    return "rain"


def chat(protocol, model, key=KEY, **settings):
    return ChatOpenAI(model=model, api_key=key, base_url=URL, use_responses_api=protocol == "responses", **settings)


for protocol in ("chat", "responses"):
    for model in ("translated", "relayed", "over-chat", "over-responses", "chained"):

        @case(f"{protocol}, {model}: invoke has text and usage, also async")
        async def _(protocol=protocol, model=model):
            asked = [SystemMessage("Be short."), HumanMessage("hello")]
            for answer in (chat(protocol, model).invoke(asked), await chat(protocol, model).ainvoke(asked)):
                same((answer.text, answer.usage_metadata["total_tokens"]), ("1: hello", 10))

        @case(f"{protocol}, {model}: a stream brings the words, then the usage")
        def _(protocol=protocol, model=model):
            whole = None
            for chunk in chat(protocol, model, stream_usage=True).stream("hello"):
                whole = chunk if whole is None else whole + chunk
            same((whole.text, whole.usage_metadata["total_tokens"]), ("1: hello", 10))

        @case(f"{protocol}, {model}: a bound tool is called and its word read, whole and streamed")
        async def _(protocol=protocol, model=model):
            bound = chat(protocol, model).bind_tools([get_weather])
            question = HumanMessage("use get_weather")
            asked = bound.invoke([question])
            call = asked.tool_calls[0]
            same((call["name"], call["args"]), ("get_weather", {"city": "Paris"}))
            answer = bound.invoke([question, asked, ToolMessage("rain", tool_call_id=call["id"])])
            same(answer.text, "The tool says rain.")
            whole = None
            async for chunk in bound.astream([question]):
                whole = chunk if whole is None else whole + chunk
            same(whole.tool_calls[0]["args"], {"city": "Paris"})

        @case(f"{protocol}, {model}: structured output by schema and by function")
        def _(protocol=protocol, model=model):
            for method in ("json_schema", "function_calling"):
                structured = chat(protocol, model).with_structured_output(Report, method=method)
                same((method, structured.invoke("report")), (method, Report(**FACTS)))

    @case(f"{protocol}: refusals are openai's own errors")
    def _(protocol=protocol):
        refused(openai.AuthenticationError, lambda: chat(protocol, "relayed", "sk-nobody-has-this-key").invoke("x"))
        error = refused(openai.NotFoundError, lambda: chat(protocol, "gpt-nowhere").invoke("x"))
        assert "gpt-nowhere" in error.message, error.message
        for model in ("far-relayed", "far-chat", "far-responses"):
            error = refused(openai.BadRequestError, lambda: chat(protocol, model).invoke("overflow"))
            same(error.code, "context_length_exceeded")


@case("responses: a conversation goes on by previous_response_id")
def _():
    model = chat("responses", "relayed", use_previous_response_id=True)
    first = model.invoke("hello")
    second = model.invoke([HumanMessage("hello"), first, HumanMessage("and now?")])
    same(second.text, "2: and now?")


run()
