"""DSPy, unchanged: its language model on both protocols, with a relayed and a translated model."""

# Client: DSPy (pypi dspy): createChatCompletion, createResponse.

import dspy
from dspy.utils.exceptions import LMAuthError, LMUnsupportedModelError

from cases import KEY, URL, case, refused, run, same

dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=False)


def model_of(name, key=KEY, **settings):
    return dspy.LM(f"openai/{name}", api_base=URL, api_key=key, num_retries=0, **settings)


for model in ("relayed", "translated"):
    for protocol in ("chat", "responses"):

        @case(f"{protocol}, {model}: an answer has text and usage")
        def _(model=model, protocol=protocol):
            bound = model_of(model, model_type=protocol)
            [answer] = bound("hello")
            same(answer["text"] if isinstance(answer, dict) else answer, "1: hello")
            same(bound.history[-1]["usage"]["total_tokens"], 10)


@case("refusals are DSPy's own errors")
def _():
    refused(LMAuthError, lambda: model_of("relayed", "sk-nobody-has-this-key")("x"))
    assert "gpt-nowhere" in str(refused(LMUnsupportedModelError, lambda: model_of("gpt-nowhere")("x")))


run()
