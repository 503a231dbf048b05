"""Clients of other providers that speak OpenAI's chat, unchanged, with the gateway's host as their base URL."""

# Client: Fireworks (pypi fireworks-ai): createChatCompletion.
# Client: huggingface_hub (pypi huggingface-hub): createChatCompletion.
# Client: Mistral (pypi mistralai): createChatCompletion.
# Client: Portkey (pypi portkey-ai): createChatCompletion, createResponse.
# Client: Together (pypi together): createChatCompletion.

import fireworks
import portkey_ai
import together
from huggingface_hub import InferenceClient
from huggingface_hub.errors import HfHubHTTPError
from mistralai.client import Mistral
from mistralai.client.errors import SDKError

from cases import KEY, TOOL, URL, case, refused, run, same, user

HOST = URL.split("/v1/")[0]
HELLO = user("hello")


def text_of(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def checked(create, model):
    """Checks a client whose methods are those of OpenAI's client."""
    answer = create(model=model, messages=HELLO)
    same((answer.choices[0].message.content, answer.usage.total_tokens), ("1: hello", 10))
    same(text_of(create(model=model, messages=HELLO, stream=True)), "1: hello")
    [call] = create(model=model, messages=user("use get_weather"), tools=[TOOL]).choices[0].message.tool_calls
    same((call.function.name, call.function.arguments), ("get_weather", '{"city":"Paris"}'))


for model in ("relayed", "translated"):

    @case(f"Fireworks, {model}: answers, streams and calls a tool")
    def _(model=model):
        checked(fireworks.Fireworks(base_url=HOST, api_key=KEY).chat.completions.create, model)

    @case(f"Together, {model}: answers, streams and calls a tool")
    def _(model=model):
        checked(together.Together(base_url=HOST, api_key=KEY).chat.completions.create, model)

    @case(f"huggingface_hub, {model}: answers, streams and calls a tool")
    def _(model=model):
        checked(InferenceClient(base_url=HOST, api_key=KEY).chat.completions.create, model)

    @case(f"Portkey, {model}: answers, streams and calls a tool, chat and responses")
    def _(model=model):
        client = portkey_ai.Portkey(base_url=URL, Authorization=f"Bearer {KEY}", api_key="none")
        checked(client.chat.completions.create, model)
        same(client.responses.create(model=model, input="hello").output_text, "1: hello")

    @case(f"Mistral, {model}: answers, streams and calls a tool")
    def _(model=model):
        chat = Mistral(server_url=HOST, api_key=KEY).chat
        same(chat.complete(model=model, messages=HELLO).choices[0].message.content, "1: hello")
        same(text_of(event.data for event in chat.stream(model=model, messages=HELLO)), "1: hello")
        [call] = chat.complete(model=model, messages=user("use get_weather"), tools=[TOOL]).choices[0].message.tool_calls
        same((call.function.name, call.function.arguments), ("get_weather", '{"city":"Paris"}'))


@case("refusals are the clients' own errors")
def _():
    wrong = "sk-nobody-has-this-key"
    asked = {"model": "relayed", "messages": HELLO}
    refused(fireworks.AuthenticationError, lambda: fireworks.Fireworks(base_url=HOST, api_key=wrong).chat.completions.create(**asked))
    refused(together.AuthenticationError, lambda: together.Together(base_url=HOST, api_key=wrong).chat.completions.create(**asked))
    refused(HfHubHTTPError, lambda: InferenceClient(base_url=HOST, api_key=wrong).chat_completion(**asked))
    error = refused(SDKError, lambda: Mistral(server_url=HOST, api_key=KEY).chat.complete(**{**asked, "model": "gpt-nowhere"}))
    same(error.status_code, 404)


run()
