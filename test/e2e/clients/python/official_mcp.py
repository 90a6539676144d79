"""The official `mcp` client, against servers of the official SDKs behind the gateway."""

import os
import unittest

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

URL = os.environ["WEIR_URL"]
KEY = os.environ["WEIR_KEY"]
SERVERS = os.environ["MCP_SERVERS"].split()


def connect(server, key=KEY, **options):
    http = httpx2.AsyncClient(headers={"authorization": f"Bearer {key}"}, timeout=30)
    return Client(streamable_http_client(f"{URL}/mcp/{server}/mcp", http_client=http), **options)


class McpTests(unittest.IsolatedAsyncioTestCase):
    async def test_lists_and_calls_by_both_transports_of_the_server(self):
        for server in SERVERS:
            async with connect(server) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                self.assertIn("add", names, server)
                result = await client.call_tool("add", {"a": 2, "b": 3})
                self.assertEqual(result.content[0].text, "5", server)

    async def test_hears_of_progress(self):
        for server in SERVERS:
            told = []

            async def hear(progress, total, message):
                told.append(progress)

            async with connect(server) as client:
                await client.call_tool("counts", {"steps": 3}, progress_callback=hear)
            self.assertEqual(told, [1, 2, 3], server)

    async def test_reads_resources_and_gets_prompts(self):
        for server in SERVERS:
            async with connect(server) as client:
                read = await client.read_resource("test://greeting/Ann")
                self.assertEqual(read.contents[0].text, "Hello, Ann.", server)
                prompt = await client.get_prompt("ask", {"topic": "this"})
                self.assertEqual(prompt.messages[0].content.text, "What is this?", server)

    async def test_a_tool_that_fails_says_so(self):
        for server in SERVERS:
            async with connect(server) as client:
                result = await client.call_tool("fails", {})
                self.assertTrue(result.is_error, server)
                self.assertIn("fails", result.content[0].text)

    async def test_a_hidden_tool_is_none(self):
        async with connect("narrow") as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            self.assertEqual(sorted(names), ["counts", "fails"])
            with self.assertRaises(MCPError) as raised:
                await client.call_tool("add", {"a": 2, "b": 3})
            self.assertEqual(raised.exception.error.code, -32602)

    async def test_a_key_that_is_none_is_refused(self):
        with self.assertRaises(BaseException) as raised:
            async with connect(SERVERS[0], key="not-a-key") as client:
                await client.list_tools()
        self.assertIn("The gateway key is not known here.", str(flat(raised.exception)))


def flat(error):
    """The errors in a group of them."""
    return [flat(each) for each in error.exceptions] if isinstance(error, BaseExceptionGroup) else [error, str(error)]
