"""Libraries around OpenAI's client, unchanged: each answers, streams and gives objects, with a relayed and a translated model."""

# Client: any-llm (pypi any-llm-sdk): createChatCompletion, createResponse.
# Client: Langfuse (pypi langfuse): createChatCompletion, createResponse.
# Client: magentic (pypi magentic): createChatCompletion.
# Client: Mirascope (pypi mirascope): createChatCompletion, createResponse.
# Client: Outlines (pypi outlines): createChatCompletion.

import any_llm
import openai
import outlines
from langfuse.openai import OpenAI as LangfuseOpenAI
from magentic import OpenaiChatModel, StreamedStr, prompt, prompt_chain
from mirascope import llm

from cases import FACTS, KEY, URL, Report, case, refused, run, same, user

llm.register_provider("openai", base_url=URL, api_key=KEY)
GATEWAY = {"provider": "openai", "api_key": KEY, "api_base": URL}


def get_weather(city: str) -> str:
    """The weather of a city."""
    same(city, "Paris")
    return "rain"


def text_of(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


for model in ("relayed", "translated"):

    @case(f"any-llm, {model}: chat whole and streamed, responses")
    def _(model=model):
        same(any_llm.completion(model, user("hello"), **GATEWAY).choices[0].message.content, "1: hello")
        same(text_of(any_llm.completion(model, user("hello"), stream=True, **GATEWAY)), "1: hello")
        same(any_llm.responses(model=model, input_data="hello", **GATEWAY).output_text, "1: hello")

    @case(f"Langfuse, {model}: its client of openai answers and streams")
    def _(model=model):
        client = LangfuseOpenAI(base_url=URL, api_key=KEY)
        create = client.chat.completions.create
        same(create(model=model, messages=user("hello"), name="test", metadata={"a": "b"}).choices[0].message.content, "1: hello")
        same(text_of(create(model=model, messages=user("hello"), stream=True)), "1: hello")
        same(client.responses.create(model=model, input="hello").output_text, "1: hello")

    @case(f"magentic, {model}: functions answer, stream, call a tool and give an object")
    def _(model=model):
        chat = OpenaiChatModel(model, api_key=KEY, base_url=URL)

        @prompt("hello", model=chat)
        def hello() -> str: ...

        @prompt("hello", model=chat)
        def streamed() -> StreamedStr: ...

        @prompt("report", model=chat)
        def report() -> Report: ...

        @prompt_chain("use get_weather", functions=[get_weather], model=chat)
        def weather() -> str: ...

        same((hello(), "".join(streamed())), ("1: hello", "1: hello"))
        same((report(), weather()), (Report(**FACTS), "The tool says rain."))

    for protocol in ("completions", "responses"):

        @case(f"Mirascope, {protocol}, {model}: answers, streams, calls a tool and gives an object")
        def _(model=model, protocol=protocol):
            name = f"openai/{model}:{protocol}"

            @llm.call(name)
            def hello():
                return "hello"

            @llm.call(name, tools=[llm.tool(get_weather)])
            def weather():
                return "use get_weather"

            @llm.call(name, format=Report)
            def report():
                return "report"

            same(hello().text(), "1: hello")
            same("".join(hello.stream().text_stream()).strip(), "1: hello")
            asked = weather()
            same(asked.resume(asked.execute_tools()).text(), "The tool says rain.")
            same(report().parse(), Report(**FACTS))

    @case(f"Outlines, {model}: answers, streams and gives an object")
    def _(model=model):
        bound = outlines.from_openai(openai.OpenAI(base_url=URL, api_key=KEY), model)
        same((bound("hello"), "".join(bound.stream("hello"))), ("1: hello", "1: hello"))
        same(Report.model_validate_json(bound("report", Report)), Report(**FACTS))


@case("a wrong key and an unknown model are openai's own errors")
def _():
    client = LangfuseOpenAI(base_url=URL, api_key="sk-nobody-has-this-key")
    refused(openai.AuthenticationError, lambda: client.chat.completions.create(model="relayed", messages=user("x")))
    bound = outlines.from_openai(openai.OpenAI(base_url=URL, api_key=KEY), "gpt-nowhere")
    assert "gpt-nowhere" in str(refused(Exception, lambda: bound("x")))


run()
