"""Instructor, unchanged, in each of its modes for requesting an object."""

# Client: instructor (pypi instructor): createChatCompletion, createResponse.

import instructor
import openai

from cases import FACTS, KEY, URL, Report, case, refused, run, same

CHAT = (instructor.Mode.TOOLS, instructor.Mode.TOOLS_STRICT, instructor.Mode.JSON_SCHEMA)


ASKED = dict(messages=[{"role": "user", "content": "report"}], response_model=Report)


def client(mode, key=KEY):
    return instructor.from_openai(openai.OpenAI(base_url=URL, api_key=key), mode=mode)


for model in ("translated", "relayed", "over-chat", "over-responses", "chained"):
    for mode in CHAT:

        @case(f"{mode.name}, {model}: an object comes by its pydantic model, whole, streamed and async")
        async def _(model=model, mode=mode):
            same(client(mode).chat.completions.create(model=model, **ASKED).model_dump(), FACTS)
            *_, last = client(mode).chat.completions.create_partial(model=model, **ASKED)
            same(last.model_dump(), FACTS)
            other = instructor.from_openai(openai.AsyncOpenAI(base_url=URL, api_key=KEY), mode=mode)
            same((await other.chat.completions.create(model=model, **ASKED)).model_dump(), FACTS)


for model in ("translated", "relayed", "over-chat", "chained"):

    @case(f"RESPONSES_TOOLS, {model}: an object comes by its pydantic model")
    def _(model=model):
        asked = client(instructor.Mode.RESPONSES_TOOLS).responses
        same(asked.create(model=model, input="report", response_model=Report).model_dump(), FACTS)


@case("refusals have their cause")
def _():
    for key, model, cause in (("sk-nobody-has-this-key", "relayed", "invalid_api_key"), (KEY, "gpt-nowhere", "model_not_found")):
        ask = client(instructor.Mode.TOOLS, key).chat.completions.create
        error = refused(Exception, lambda: ask(model=model, max_retries=0, **ASKED))
        assert cause in str(error), error


run()
