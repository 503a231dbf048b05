"""Tests Mureka's MCP server, started as an MCP host does: its tools create music through the gateway."""

# Client: mureka-mcp (pypi mureka-mcp): createSong, getSong, createInstrumental, getInstrumental.

import os
import tempfile
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from cases import KEY, URL, case, run, same


async def called(tool, **arguments):
    """Returns the files that the tool has saved."""
    env = {**os.environ, "MUREKA_API_KEY": KEY, "MUREKA_API_URL": URL, "TIME_OUT_SECONDS": "90"}
    async with stdio_client(StdioServerParameters(command="mureka-mcp", env=env)) as (reading, writing):
        async with ClientSession(reading, writing) as session:
            await session.initialize()
            with tempfile.TemporaryDirectory() as folder:
                result = await session.call_tool(tool, {**arguments, "output_directory": folder})
                said = [part.text for part in result.content]
                assert all(text.startswith("Success. File saved as: ") for text in said), said
                return [Path(text.removeprefix("Success. File saved as: ")).read_bytes() for text in said]


@case("a song, without and with a style")
async def _():
    songs = await called("generate_song", lyrics="[Verse]\nla la")
    same([b"piece 0" in songs[0], b"piece 1" in songs[1]], [True, True])
    same(len(await called("generate_song", lyrics="la la", prompt="slow folk")), 2)


@case("an instrumental")
async def _():
    same(len(await called("generate_instrumental", prompt="calm piano")), 2)


run()
