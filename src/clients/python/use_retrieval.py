"""Rerank by Cohere's client, embeddings and rerank by LlamaIndex, unchanged."""

# Client: Cohere (pypi cohere): rerankDocuments.
# Client: LlamaIndex (pypi llama-index-core): createEmbedding, rerankDocuments.

import asyncio

import cohere
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.embeddings.openai import OpenAIEmbedding
from llama_index.postprocessor.cohere_rerank import CohereRerank
from llama_index.postprocessor.jinaai_rerank import JinaRerank

from cases import KEY, URL, case, refused, run, same

ROOT = URL.removesuffix("/v1")
DOCUMENTS = ["zzz", "abcd", "ab"]


def scores(answer):
    return [(each.index, each.relevance_score) for each in answer.results]


for model in ("translated-rank", "relayed-rank"):

    @case(f"Cohere v2, {model}: documents are sorted, also async")
    async def _(model=model):
        asked = {"model": model, "query": "abcd", "documents": DOCUMENTS, "top_n": 2}
        made = cohere.ClientV2(KEY, base_url=ROOT).rerank(**asked)
        same(scores(made), [(1, 1), (2, 0.5)])
        same(made.meta.billed_units.search_units, 1)
        same(scores(await cohere.AsyncClientV2(KEY, base_url=ROOT).rerank(**asked)), [(1, 1), (2, 0.5)])

    @case(f"Cohere v1, {model}: documents come back")
    def _(model=model):
        made = cohere.Client(KEY, base_url=ROOT).rerank(model=model, query="abcd", documents=DOCUMENTS, top_n=1, return_documents=True)
        same((made.results[0].index, made.results[0].document.text), (1, "abcd"))

    @case(f"Cohere, {model}: bad input and a wrong key are its own errors")
    def _(model=model):
        client = cohere.ClientV2(KEY, base_url=ROOT)
        error = refused(cohere.BadRequestError, lambda: client.rerank(model=model, query="q", documents=[]))
        assert "documents" in error.body["message"], error.body
        other = cohere.ClientV2("sk-wrong", base_url=ROOT)
        refused(cohere.UnauthorizedError, lambda: other.rerank(model=model, query="q", documents=["a"]))

    for service, rerank in (
        ("Cohere", lambda model: CohereRerank(model=model, api_key=KEY, base_url=ROOT, top_n=2)),
        ("Jina", lambda model: JinaRerank(model=model, api_key=KEY, base_url=URL, top_n=2)),
    ):

        @case(f"LlamaIndex as of {service}, {model}: nodes are sorted")
        def _(model=model, rerank=rerank):
            nodes = [NodeWithScore(node=TextNode(text=text)) for text in DOCUMENTS]
            made = rerank(model).postprocess_nodes(nodes, QueryBundle("abcd"))
            same([(each.text, each.score) for each in made], [("abcd", 1), ("ab", 0.5)])


for model in ("translated", "relayed"):

    @case(f"LlamaIndex, {model}: a query and texts have vectors, also async")
    async def _(model=model):
        made = OpenAIEmbedding(model_name=model, api_base=URL, api_key=KEY)
        same(await asyncio.to_thread(made.get_query_embedding, "two"), [3, 0, 0, 0])
        same(await made.aget_text_embedding_batch(["a", "four"]), [[1, 0, 0, 0], [4, 0, 0, 0]])


run()
