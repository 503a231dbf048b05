"""Haystack's generators of OpenAI's interface, unchanged: chat and responses, alone and in a pipeline."""

# Client: Haystack (pypi haystack-ai): createChatCompletion, createResponse.

import openai
from haystack import Pipeline
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import Tool
from haystack.utils import Secret

from cases import FACTS, KEY, TOOL, URL, Report, case, refused, run, same

HELLO = [ChatMessage.from_system("Be short."), ChatMessage.from_user("hello")]
GENERATORS = {"chat": OpenAIChatGenerator, "responses": OpenAIResponsesChatGenerator}


def generator(protocol, model, key=KEY, **settings):
    return GENERATORS[protocol](model=model, api_key=Secret.from_token(key), api_base_url=URL, **settings)


def tool():
    schema = TOOL["function"]["parameters"]
    return Tool(name="get_weather", description="Weather.", parameters=schema, function=lambda city: "rain")


for protocol in ("chat", "responses"):
    for model in ("translated", "relayed", "over-chat", "over-responses", "chained"):

        @case(f"{protocol}, {model}: an answer has text and usage, also async")
        async def _(protocol=protocol, model=model):
            for made in (generator(protocol, model).run(HELLO), await generator(protocol, model).run_async(HELLO)):
                [reply] = made["replies"]
                same((reply.text, reply.meta["usage"]["total_tokens"]), ("1: hello", 10))

        @case(f"{protocol}, {model}: a stream brings the words one by one")
        def _(protocol=protocol, model=model):
            words = []
            streamed = generator(protocol, model, streaming_callback=lambda chunk: words.append(chunk.content))
            [reply] = streamed.run(HELLO)["replies"]
            same((reply.text, "".join(words)), ("1: hello", "1: hello"))
            assert len([word for word in words if word]) > 1, words

        @case(f"{protocol}, {model}: a tool is called and its word read, whole and streamed")
        def _(protocol=protocol, model=model):
            question = ChatMessage.from_user("use get_weather")
            for callback in (None, lambda chunk: None):
                bound = generator(protocol, model, tools=[tool()], streaming_callback=callback)
                [asked] = bound.run([question])["replies"]
                [call] = asked.tool_calls
                same((call.tool_name, call.arguments), ("get_weather", {"city": "Paris"}))
                result = ChatMessage.from_tool(tool_result="rain", origin=call)
                same(bound.run([question, asked, result])["replies"][0].text, "The tool says rain.")

    @case(f"{protocol}: an object comes by its pydantic model")
    def _(protocol=protocol):
        setting = {"response_format": Report} if protocol == "chat" else {"text_format": Report}
        [reply] = generator(protocol, "relayed", generation_kwargs=setting).run([ChatMessage.from_user("report")])["replies"]
        same(Report.model_validate_json(reply.text), Report(**FACTS))

    @case(f"{protocol}: refusals are openai's own errors")
    def _(protocol=protocol):
        refused(openai.AuthenticationError, lambda: generator(protocol, "relayed", "sk-nobody-has-this-key").run(HELLO))
        error = refused(openai.NotFoundError, lambda: generator(protocol, "gpt-nowhere").run(HELLO))
        assert "gpt-nowhere" in error.message, error.message


@case("a pipeline of prompt and generator")
def _():
    pipeline = Pipeline()
    pipeline.add_component("prompt", ChatPromptBuilder(template=[ChatMessage.from_user("say {{word}}")], required_variables=["word"]))
    pipeline.add_component("model", generator("chat", "relayed"))
    pipeline.connect("prompt.prompt", "model.messages")
    made = pipeline.run({"prompt": {"word": "hello"}})
    same(made["model"]["replies"][0].text, "1: say hello")


run()
