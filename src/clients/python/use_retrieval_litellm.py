"""Embeddings and rerank by Haystack and LiteLLM, unchanged."""

# Client: Haystack (pypi haystack-ai): createEmbedding.
# Client: LiteLLM (pypi litellm): createEmbedding, rerankDocuments.

import litellm
from haystack import Document
from haystack.components.embedders import OpenAIDocumentEmbedder, OpenAITextEmbedder
from haystack.utils import Secret

from cases import KEY, URL, case, run, same

ROOT = URL.removesuffix("/v1")
DOCUMENTS = ["zzz", "abcd", "ab"]

for model in ("translated", "relayed"):

    @case(f"Haystack, {model}: a text and documents have vectors")
    def _(model=model):
        settings = {"model": model, "api_key": Secret.from_token(KEY), "api_base_url": URL}
        same(OpenAITextEmbedder(**settings).run("two")["embedding"], [3, 0, 0, 0])
        made = OpenAIDocumentEmbedder(progress_bar=False, **settings).run([Document(content="a"), Document(content="four")])
        same([each.embedding for each in made["documents"]], [[1, 0, 0, 0], [4, 0, 0, 0]])

    @case(f"LiteLLM, {model}: embeddings have vectors and usage")
    async def _(model=model):
        settings = {"model": f"openai/{model}", "api_base": URL, "api_key": KEY}
        made = litellm.embedding(input=["a", "two"], **settings)
        same([each["embedding"] for each in made.data], [[1, 0, 0, 0], [3, 0, 0, 0]])
        same(made.usage.prompt_tokens, 10)
        alone = await litellm.aembedding(input="two", dimensions=2, allowed_openai_params=["dimensions"], **settings)
        same(alone.data[0]["embedding"], [3, 0])

for model in ("translated-rank", "relayed-rank"):
    for service, base in (("cohere", f"{ROOT}/v2/rerank"), ("jina_ai", f"{URL}/rerank")):

        @case(f"LiteLLM as of {service}, {model}: documents are sorted")
        def _(model=model, service=service, base=base):
            made = litellm.rerank(model=f"{service}/{model}", query="abcd", documents=DOCUMENTS, top_n=2, api_base=base, api_key=KEY)
            same([(each["index"], each["relevance_score"]) for each in made.results], [(1, 1), (2, 0.5)])


run()
