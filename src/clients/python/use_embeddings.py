"""Embeddings by OpenAI's client and by LangChain, unchanged."""

# Client: openai (pypi openai): createEmbedding.
# Client: LangChain (pypi langchain-openai): createEmbedding.

import openai
from langchain_openai import OpenAIEmbeddings

from cases import KEY, URL, async_refused, case, run, same

MODELS = ("translated", "relayed")


def embeddings(model, **settings):
    # Without this setting, LangChain sends the ids of OpenAI's own tokens.
    return OpenAIEmbeddings(model=model, api_key=KEY, base_url=URL, check_embedding_ctx_length=False, **settings)


for model in MODELS:

    @case(f"openai, {model}: vectors come as numbers, from base64 and from floats")
    async def _(model=model):
        client = openai.OpenAI(api_key=KEY, base_url=URL)
        for settings in ({}, {"encoding_format": "float"}):
            made = client.embeddings.create(model=model, input=["a", "two"], **settings)
            same([each.embedding for each in made.data], [[1, 0, 0, 0], [3, 0, 0, 0]])
            same(made.usage.total_tokens, 10)
        short = await openai.AsyncOpenAI(api_key=KEY, base_url=URL).embeddings.create(model=model, input=[7, 8], dimensions=2)
        same(short.data[0].embedding, [2, 0])

    @case(f"openai, {model}: bad input is a BadRequestError with its field")
    async def _(model=model):
        client = openai.AsyncOpenAI(api_key=KEY, base_url=URL)
        error = await async_refused(openai.BadRequestError, client.embeddings.create(model=model, input=["a"] * 2049))
        same((error.param, error.type), ("input", "invalid_request_error"))
        assert "at most 2048" in error.message, error.message

    @case(f"LangChain, {model}: documents and a query have vectors, also async")
    async def _(model=model):
        same(embeddings(model).embed_documents(["a", "two"]), [[1, 0, 0, 0], [3, 0, 0, 0]])
        same(await embeddings(model, dimensions=2).aembed_query("five5"), [5, 0])


run()
