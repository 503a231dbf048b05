"""Frameworks for agents, unchanged: each answers, streams, and calls a tool, with a relayed and a translated model."""

# Client: Agent Framework (pypi agent-framework-openai): createChatCompletion, createResponse.
# Client: Agno (pypi agno): createChatCompletion, createResponse.
# Client: AutoGen (pypi autogen-agentchat): createChatCompletion.
# Client: Griptape (pypi griptape): createChatCompletion.
# Client: LangGraph (pypi langgraph): createChatCompletion, createResponse.
# Client: smolagents (pypi smolagents): createChatCompletion.
# Client: Strands Agents (pypi strands-agents): createChatCompletion.

import agent_framework
import openai
from agent_framework.openai import OpenAIChatClient, OpenAIChatCompletionClient
from agno.agent import Agent as AgnoAgent
from agno.models.openai import OpenAIChat, OpenAIResponses
from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient as AutoGenClient
from griptape.drivers.prompt.openai import OpenAiChatPromptDriver
from griptape.rules import Rule
from griptape.structures import Agent as GriptapeAgent
from griptape.utils import Stream
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from smolagents import OpenAIModel, tool as smol_tool
from strands import Agent as StrandsAgent, tool as strands_tool
from strands.models.openai import OpenAIModel as StrandsModel

from cases import FACTS, KEY, URL, Report, async_refused, case, refused, run, same, user


def get_weather(city: str) -> str:
    """The weather of a city.

    Args:
        city: Name of the city.
    """
    same(city, "Paris")
    return "rain"


def autogen(model, key=KEY, **settings):
    info = {"vision": False, "function_calling": True, "json_output": True, "structured_output": True, "family": "unknown"}
    client = AutoGenClient(model=model, base_url=URL, api_key=key, model_info=info)
    return AssistantAgent("helper", client, reflect_on_tool_use=True, **settings)


def graph(model, protocol):
    """Returns a graph of a model and its tool, as in LangGraph's own guide."""
    bound = ChatOpenAI(model=model, base_url=URL, api_key=KEY, use_responses_api=protocol == "responses").bind_tools([get_weather])
    built = StateGraph(MessagesState)
    built.add_node("model", lambda state: {"messages": [bound.invoke(state["messages"])]})
    built.add_node("tools", ToolNode([get_weather]))
    built.add_edge(START, "model")
    built.add_conditional_edges("model", tools_condition)
    built.add_edge("tools", "model")
    return built.compile()


for model in ("relayed", "translated"):
    for client in (OpenAIChatClient, OpenAIChatCompletionClient):

        @case(f"Agent Framework, {client.__name__}, {model}: answers, streams and calls a tool")
        async def _(model=model, client=client):
            agent = agent_framework.Agent(client=client(model=model, base_url=URL, api_key=KEY), tools=[get_weather])
            same((await agent.run("hello")).text, "1: hello")
            same((await agent.run("use get_weather")).text, "The tool says rain.")
            stream = agent.run("hello", stream=True)
            words = [update.text async for update in stream if update.text]
            same(words[:2], ["1: ", "hello"])
            same((await stream.get_final_response()).text, "1: hello")

    for kind in (OpenAIChat, OpenAIResponses):

        @case(f"Agno, {kind.__name__}, {model}: answers, streams, calls a tool and gives an object")
        def _(model=model, kind=kind):
            def agent(**settings):
                return AgnoAgent(model=kind(id=model, api_key=KEY, base_url=URL), telemetry=False, **settings)

            same(agent(instructions="Be short.").run("hello").content, "1: hello")
            same(agent(tools=[get_weather]).run("use get_weather").content, "The tool says rain.")
            same(agent(output_schema=Report).run("report").content, Report(**FACTS))
            events = [event for event in agent().run("hello", stream=True) if event.event == "RunContent"]
            same("".join(event.content or "" for event in events), "1: hello")

    @case(f"AutoGen, {model}: answers, streams and calls a tool")
    async def _(model=model):
        same((await autogen(model).run(task="hello")).messages[-1].content, "1: hello")
        same((await autogen(model, tools=[get_weather]).run(task="use get_weather")).messages[-1].content, "The tool says rain.")
        events = [event async for event in autogen(model, model_client_stream=True).run_stream(task="hello")]
        words = [event.content for event in events if getattr(event, "type", "") == "ModelClientStreamingChunkEvent"]
        same("".join(words), "1: hello")

    @case(f"Griptape, {model}: answers and streams")
    def _(model=model):
        def agent(stream):
            driver = OpenAiChatPromptDriver(model=model, base_url=URL, api_key=KEY, stream=stream)
            return GriptapeAgent(prompt_driver=driver, rules=[Rule("Be short.")], stream=stream)

        same(agent(False).run("hello").output.value, "1: hello")
        words = [chunk.value for chunk in Stream(agent(True)).run("hello")]
        assert "1: hello" in "".join(words) and len(words) > 1, words

    for protocol in ("chat", "responses"):

        @case(f"LangGraph, {protocol}, {model}: a graph answers, streams and calls a tool")
        def _(model=model, protocol=protocol):
            built = graph(model, protocol)
            same(built.invoke({"messages": user("hello")})["messages"][-1].text, "1: hello")
            same(built.invoke({"messages": user("use get_weather")})["messages"][-1].text, "The tool says rain.")
            words = [chunk.text for chunk, _ in built.stream({"messages": user("hello")}, stream_mode="messages")]
            assert "".join(words).startswith("1: hello") and len(words) > 1, words

    @case(f"smolagents, {model}: answers, streams and calls a tool")
    def _(model=model):
        bound = OpenAIModel(model_id=model, api_base=URL, api_key=KEY)
        same(bound(user("hello")).content, "1: hello")
        same("".join(delta.content or "" for delta in bound.generate_stream(user("hello"))), "1: hello")
        [call] = bound(user("use get_weather"), tools_to_call_from=[smol_tool(get_weather)]).tool_calls
        same((call.function.name, call.function.arguments), ("get_weather", '{"city":"Paris"}'))

    @case(f"Strands Agents, {model}: answers, streams and calls a tool")
    async def _(model=model):
        def agent(**settings):
            bound = StrandsModel(client_args={"api_key": KEY, "base_url": URL}, model_id=model)
            return StrandsAgent(model=bound, callback_handler=None, **settings)

        same(str(await agent().invoke_async("hello")).strip(), "1: hello")
        same(str(await agent(tools=[strands_tool(get_weather)]).invoke_async("use get_weather")).strip(), "The tool says rain.")
        words = [event["data"] async for event in agent().stream_async("hello") if "data" in event]
        same("".join(words), "1: hello")


@case("a wrong key and an unknown model are openai's own errors")
async def _():
    await async_refused(openai.AuthenticationError, autogen("relayed", "sk-nobody-has-this-key").run(task="x"))
    refused(openai.NotFoundError, lambda: graph("gpt-nowhere", "chat").invoke({"messages": user("x")}))


run()
