"""Tests the voice pipeline of openai-agents: it transcribes speech, runs an agent, and speaks the answer."""

# Client: openai-agents (pypi openai-agents): createTranscription, createResponse, createSpeech.

import asyncio
import base64
import os

import numpy
from agents import Agent, set_tracing_disabled
from agents.models.openai_chatcompletions import OpenAIChatCompletionsModel
from agents.voice import AudioInput, OpenAIVoiceModelProvider, SingleAgentVoiceWorkflow, VoicePipeline, VoicePipelineConfig
from openai import AsyncOpenAI

from cases import KEY, URL, case, run

set_tracing_disabled(True)
client = AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY)
SOUND = base64.b64decode(os.environ["SOUND_BASE64"])


@case("a question is heard, answered and spoken, with the pipeline's own model names and voice")
def _():
    agent = Agent(name="a", model=OpenAIChatCompletionsModel(model="far-chat", openai_client=client))
    config = VoicePipelineConfig(model_provider=OpenAIVoiceModelProvider(openai_client=client), tracing_disabled=True)
    pipeline = VoicePipeline(workflow=SingleAgentVoiceWorkflow(agent), config=config)

    async def sounds():
        # Converts raw samples of 8 bits at 8 kHz to 16 bits at 24 kHz, as the pipeline records them.
        samples = (numpy.frombuffer(SOUND[44:], dtype=numpy.uint8).astype(numpy.int16) - 128) * 256
        result = await pipeline.run(AudioInput(buffer=numpy.repeat(samples, 3)))
        return [event.data async for event in result.stream() if event.type == "voice_stream_event_audio"]

    spoken = asyncio.run(sounds())
    assert sum(len(each) for each in spoken) > 1000


run()
