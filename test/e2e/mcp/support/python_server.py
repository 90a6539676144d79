"""A server of the official Python SDK (mcp 2.3.0, MCPServer, which was FastMCP), by either transport."""

import sys

from mcp.server import MCPServer
from mcp.server.mcpserver import Context

transport, port = sys.argv[1], int(sys.argv[2])
server = MCPServer("python", log_level="ERROR")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def fails() -> str:
    """Fails."""
    raise ValueError("it does not work")


@server.tool()
async def counts(steps: int, ctx: Context) -> str:
    """Counts, and says how far it is."""
    for step in range(1, steps + 1):
        await ctx.report_progress(step, steps)
    return "counted"


@server.resource("test://greeting/{name}")
def greeting(name: str) -> str:
    """A greeting."""
    return f"Hello, {name}."


@server.prompt()
def ask(topic: str) -> str:
    """A question."""
    return f"What is {topic}?"


print("ready", flush=True)
server.run(transport, host="127.0.0.1", port=port)
