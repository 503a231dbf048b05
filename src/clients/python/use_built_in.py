"""The built-in model through LiteLLM, and through the clients that come with it."""

from typing import Literal

import instructor
import litellm
import openai
from pydantic import BaseModel

from cases import KEY, URL, case, refused, run, same, user

MODEL = "smollm2-135m-instruct"
TO = dict(model=f"openai/{MODEL}", api_base=URL, api_key=KEY)
QUESTION = "What is the capital of France?"


class Answer(BaseModel):
    country: Literal["France", "Spain"]


@case("openai: a response streams and is gone on with")
def _():
    client = openai.OpenAI(base_url=URL, api_key=KEY)
    with client.responses.stream(model=MODEL, input=QUESTION, temperature=0, max_output_tokens=16) as stream:
        first = stream.get_final_response()
    assert "Paris" in first.output_text, first.output_text
    second = client.responses.create(model=MODEL, input="Why?", previous_response_id=first.id, max_output_tokens=16)
    assert second.usage.input_tokens > first.usage.input_tokens + first.usage.output_tokens, second.usage


@case("instructor: an object keeps to its pydantic model")
def _():
    client = instructor.from_openai(openai.OpenAI(base_url=URL, api_key=KEY), mode=instructor.Mode.JSON_SCHEMA)
    asked = dict(model=MODEL, messages=user("Paris is in which country?"), response_model=Answer)
    assert client.chat.completions.create(max_tokens=40, **asked).country in ("France", "Spain")


@case("LiteLLM: an answer, and its usage")
def _():
    answer = litellm.completion(messages=user(QUESTION), temperature=0, max_tokens=16, **TO)
    assert "Paris" in answer.choices[0].message.content
    same(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens)


@case("LiteLLM: a conversation that is too long is a ContextWindowExceededError")
def _():
    long = "word " * 9000
    refused(litellm.ContextWindowExceededError, lambda: litellm.completion(messages=user(long), **TO))
    refused(litellm.ContextWindowExceededError, lambda: litellm.responses(input=long, **TO))


run()
