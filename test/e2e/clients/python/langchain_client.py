"""LangChain's chat models of OpenAI, by either of its dialects, and of Anthropic, at providers of each form."""

import json
import os
import unittest

from each import each
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

URL = os.environ["WEIR_URL"]
KEY = os.environ["WEIR_KEY"]
MODELS = json.loads(os.environ["MODELS"])
SAID = "Hello there, Grüße 🙂!"


def openai(provider, **more):
    return ChatOpenAI(
        model=MODELS[provider],
        base_url=f"{URL}/v1",
        api_key=KEY,
        max_retries=0,
        stream_usage=True,
        default_headers={"x-gateway-provider": provider},
        **more,
    )


def responses(provider):
    return openai(provider, use_responses_api=True)


def anthropic(provider):
    return ChatAnthropic(
        model=MODELS[provider],
        base_url=URL,
        api_key=KEY,
        max_retries=0,
        max_tokens=1024,
        default_headers={"x-gateway-provider": provider},
    )


CLIENTS = (openai, responses, anthropic)


@tool
def weather(city: str, days: int = 1) -> str:
    """The weather of a city."""
    return f"{city}: 7 degrees for {days}"


def scene(name):
    return HumanMessage(f"Please. [scene:{name}]")


class LangChainTests(unittest.TestCase):
    def test_answers(self):
        def check(client, provider):
            model = client(provider)
            answer = model.invoke([SystemMessage("Be brief."), scene("text")])
            self.assertEqual(answer.text, SAID)
            self.assertEqual(answer.usage_metadata["input_tokens"], 20)
            self.assertEqual(answer.usage_metadata["output_tokens"], 11)

        each(check, CLIENTS, MODELS)

    def test_streams(self):
        def check(client, provider):
            model = client(provider)
            pieces = [chunk.text for chunk in model.stream([scene("text")])]
            self.assertEqual("".join(pieces), SAID)
            self.assertGreater(len(pieces), 2)

        each(check, CLIENTS, MODELS)

    def test_calls_tools_and_goes_on(self):
        def check(client, provider):
            model = client(provider)
            bound = model.bind_tools([weather])
            asked = scene("tools")
            called = bound.invoke([asked])
            self.assertEqual([call["args"]["city"] for call in called.tool_calls], ["Paris", "Oslo"])
            results = [ToolMessage(weather.invoke(call["args"]), tool_call_id=call["id"]) for call in called.tool_calls]
            answer = bound.invoke([asked, called, *results, scene("results")])
            self.assertEqual(answer.text, "18 in Paris, 7 in Oslo.")

        each(check, CLIENTS, MODELS)
