"""The official `anthropic` client: its own format passes through, its `x-api-key` is the gateway's."""

import asyncio
import os
import unittest

import anthropic

URL = os.environ["WEIR_URL"]
KEY = os.environ["WEIR_KEY"]
NATIVE_KEY = os.environ["NATIVE_KEY"]
NATIVE = {"x-gateway-provider": "anthropic"}
QUESTION = {"model": "claude-opus-5-5", "max_tokens": 64, "messages": [{"role": "user", "content": "Hello"}]}
SAID = "Hello! How can I help?"


def options(headers=NATIVE, **more):
    return {"base_url": URL, "api_key": KEY, "max_retries": 0, "default_headers": headers, **more}


def ask(question=QUESTION, **more):
    return anthropic.Anthropic(**options(**more)).messages.create(**question)


class AnthropicTests(unittest.TestCase):
    def test_asks_for_a_message(self):
        message = ask()
        self.assertEqual(message.content[0].text, SAID)
        self.assertEqual(message.usage.output_tokens, 15)
        self.assertEqual(message._request_id, "req_native")

    def test_has_a_base_url_with_a_version_or_without(self):
        self.assertEqual(ask(base_url=f"{URL}/v1").content[0].text, SAID)

    def test_names_the_provider_in_the_model(self):
        question = {**QUESTION, "model": "@anthropic/claude-opus-5-5"}
        self.assertEqual(ask(question, headers={}).content[0].text, SAID)

    def test_has_the_gateway_key_as_a_token(self):
        self.assertEqual(ask(api_key=None, auth_token=KEY).content[0].text, SAID)

    def test_brings_a_key_of_its_own(self):
        message = ask(api_key=NATIVE_KEY, headers={**NATIVE, "x-gateway-api-key": KEY})
        self.assertEqual(message.content[0].text, SAID)

    def test_streams(self):
        with anthropic.Anthropic(**options()).messages.stream(**QUESTION) as stream:
            text = "".join(stream.text_stream)
            final = stream.get_final_message()
        self.assertEqual(text, final.content[0].text)
        self.assertEqual(final.stop_reason, "end_turn")

    def test_counts_tokens(self):
        client = anthropic.Anthropic(**options())
        counted = client.messages.count_tokens(model=QUESTION["model"], messages=QUESTION["messages"])
        self.assertEqual(counted.input_tokens, 7)

    def test_works_without_waiting(self):
        async def call():
            async with anthropic.AsyncAnthropic(**options()) as client:
                return await client.messages.create(**QUESTION)

        self.assertEqual(asyncio.run(call()).content[0].text, SAID)

    def test_shows_our_errors(self):
        with self.assertRaises(anthropic.AuthenticationError) as refused:
            ask(api_key="no-such-key")
        self.assertIn("The gateway key is not known here.", str(refused.exception))
        self.assertTrue(refused.exception.request_id)
        with self.assertRaises(anthropic.BadRequestError) as unnamed:
            ask(headers={})
        self.assertIn("x-gateway-provider", str(unnamed.exception))


WEATHER = {
    "name": "get_weather",
    "description": "Weather of a place",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
OTHERS = [("mock", "mock"), ("openai", "mock"), ("google", "gemini-2.5-flash")]


def client(provider):
    return anthropic.Anthropic(**options({"x-gateway-provider": provider}))


class OverAChatTests(unittest.TestCase):
    def test_asks_for_a_message(self):
        for provider, model in OTHERS:
            with self.subTest(provider):
                message = client(provider).messages.create(**{**QUESTION, "model": model})
                self.assertEqual([block.type for block in message.content], ["text"])
                self.assertEqual(message.stop_reason, "end_turn")
                self.assertGreater(message.usage.output_tokens, 0)
                self.assertTrue(message.id.startswith("msg_"))
                self.assertTrue(message._request_id)

    def test_streams(self):
        for provider, model in OTHERS:
            with self.subTest(provider), client(provider).messages.stream(**{**QUESTION, "model": model}) as stream:
                text = "".join(stream.text_stream)
                final = stream.get_final_message()
                self.assertEqual(text, final.content[0].text)
                self.assertEqual(final.stop_reason, "end_turn")

    def test_has_a_loop_of_tools(self):
        question = {**QUESTION, "model": "mock-tools", "tools": [WEATHER]}
        with client("openai").messages.stream(**question) as stream:
            asked = stream.get_final_message()
        self.assertEqual(asked.stop_reason, "tool_use")
        (call,) = asked.content
        self.assertIn("city", call.input)
        result = {"type": "tool_result", "tool_use_id": call.id, "content": "Sun"}
        turns = [
            *QUESTION["messages"],
            {"role": "assistant", "content": asked.content},
            {"role": "user", "content": [result]},
        ]
        answer = client("openai").messages.create(**{**question, "messages": turns})
        self.assertIn("Sun", answer.content[0].text)

    def test_thinks(self):
        question = {**QUESTION, "model": "mock-reasoning", "thinking": {"type": "adaptive"}}
        message = client("mock").messages.create(**question)
        self.assertEqual([block.type for block in message.content], ["thinking", "text"])
        turns = [*QUESTION["messages"], {"role": "assistant", "content": message.content}, *QUESTION["messages"]]
        self.assertTrue(client("mock").messages.create(**{**question, "messages": turns}).content)

    def test_counts_tokens(self):
        for provider, model in OTHERS:
            with self.subTest(provider):
                counted = client(provider).messages.count_tokens(model=model, messages=QUESTION["messages"])
                self.assertGreater(counted.input_tokens, 0)

    def test_shows_errors_of_providers(self):
        cases = [
            ("rate-limited", anthropic.RateLimitError),
            ("overloaded", anthropic.InternalServerError),
        ]
        for fault, kind in cases:
            with self.subTest(fault), self.assertRaises(kind) as refused:
                client("mock").messages.create(**{**QUESTION, "model": f"mock:fault={fault}"})
            self.assertEqual(refused.exception.body["type"], "error")
        with self.assertRaises(anthropic.APIStatusError):
            with client("mock").messages.stream(**{**QUESTION, "model": "mock:fault=error-event,tokens=20"}) as stream:
                stream.get_final_message()
