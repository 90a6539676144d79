"""Calls to models by the counterpart's client. Its provider key is a placeholder, whatever is named."""

import asyncio
import base64
import struct
import unittest

from portkey_ai import AsyncPortkey
from portkey_ai.api_resources.exceptions import AuthenticationError
from pydantic import BaseModel

from counterpart import CHAT, KEY, MESSAGES, PROVIDER_KEY, PROVIDER_URL, SAID, URL, chat, client

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]


class Thing(BaseModel):
    name: str
    count: int


def text_of(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


class CallTests(unittest.TestCase):
    def test_chats_and_hears_about_the_answer(self):
        answer = chat(provider="mock", trace_id="trace-python", metadata={"_user": "u-1"})
        self.assertEqual(answer.choices[0].message.content, SAID)
        self.assertEqual(answer.usage.total_tokens, 5)
        about = answer.get_headers()
        self.assertEqual((about["provider"], about["trace-id"]), ("mock", "trace-python"))
        self.assertEqual((about["cache-status"], about["retry-attempt-count"]), ("DISABLED", "0"))

    def test_names_a_stored_provider_in_each_way(self):
        fallback = {"strategy": {"mode": "fallback"}, "targets": [{"provider": "@prod"}]}
        for named in (
            {"provider": "@prod"},
            {"virtual_key": "prod"},
            {"config": {"virtual_key": "prod"}},
            {"config": {"provider": "@prod"}},
            {"config": fallback},
        ):
            self.assertEqual(chat(**named).choices[0].message.content, SAID, named)
        in_model = client().chat.completions.create(model="@prod/mock", messages=MESSAGES)
        self.assertEqual(in_model.choices[0].message.content, SAID)
        copied = client().with_options(provider="@prod").chat.completions.create(**CHAT)
        self.assertEqual(copied.choices[0].message.content, SAID)

    def test_brings_a_key_and_a_host_of_its_own(self):
        own = {"provider": "openai", "Authorization": PROVIDER_KEY, "custom_host": PROVIDER_URL}
        self.assertEqual(chat(**own).choices[0].message.content, SAID)

    def test_streams(self):
        for named in ({"provider": "mock"}, {"provider": "@prod"}):
            chunks = list(client(**named).chat.completions.create(**CHAT, stream=True))
            self.assertEqual(text_of(chunks), SAID)
            self.assertEqual(chunks[-1].choices[0].finish_reason, "stop")

    def test_calls_tools(self):
        completions = client(provider="@prod").chat.completions
        asked = {"model": "mock-tools", "tools": TOOLS}
        first = completions.create(**asked, messages=MESSAGES).choices[0].message
        call = first.tool_calls[0]
        self.assertEqual((call.function.name, call.function.arguments), ("get_weather", '{"city":"mock"}'))
        # As its own documentation does it: the message goes back as it came.
        history = [*MESSAGES, first, {"role": "tool", "tool_call_id": call.id, "content": "sunny"}]
        second = completions.create(**asked, messages=history)
        self.assertEqual(second.choices[0].message.content, "Mock answer from 1 tool result: sunny")
        deltas = [
            call
            for chunk in completions.create(**asked, messages=MESSAGES, stream=True)
            for choice in chunk.choices
            for call in choice.delta.tool_calls or []
        ]
        self.assertEqual("".join(delta.function.arguments for delta in deltas), '{"city":"mock"}')

    def test_parses_structured_output(self):
        asked = {"model": "mock-json", "messages": MESSAGES, "response_format": Thing}
        for completions in (client(provider="@prod").chat.completions, client(provider="@prod").beta.chat.completions):
            self.assertEqual(completions.parse(**asked).choices[0].message.parsed, Thing(name="mock", count=1))

    def test_completes_a_text(self):
        completions = client(provider="@prod").completions
        self.assertEqual(completions.create(model="mock", prompt="Hello").choices[0].text, SAID)
        pieces = completions.create(model="mock", prompt="Hello", stream=True)
        self.assertEqual("".join(piece.choices[0].text for piece in pieces), SAID)

    def test_embeds(self):
        asked = {"model": "mock-embedding", "input": ["a", "b"]}
        # Without a wish it asks for base64, and leaves it to its caller to decode it.
        encoded = client(provider="@prod").embeddings.create(**asked).data
        plain = client(provider="@prod").embeddings.create(**asked, encoding_format="float").data
        self.assertEqual([(each.index, len(each.embedding)) for each in plain], [(0, 256), (1, 256)])
        for one, other in zip(struct.unpack("<256f", base64.b64decode(encoded[1].embedding)), plain[1].embedding):
            self.assertAlmostEqual(one, other, places=5)

    def test_lists_and_reads_models(self):
        self.assertIn("mock-embedding", [model.id for model in client(provider="mock").models.list().data])
        self.assertEqual(client(provider="@prod").models.retrieve("gpt-5").id, "gpt-5")

    def test_asks_for_responses(self):
        responses = client(provider="@prod").responses
        self.assertEqual(responses.create(model="gpt-5", input="Hello").output_text, "Native answer")
        kinds = [event.type for event in responses.create(model="gpt-5", input="Hello", stream=True)]
        self.assertEqual((kinds[0], kinds[-1]), ("response.created", "response.completed"))

    def test_reaches_the_other_routes_of_the_provider(self):
        native = client(provider="@prod")
        self.assertEqual(native.images.generate(model="gpt-image-1", prompt="A cat").data[0].b64_json, "aGk=")
        self.assertFalse(native.moderations.create(input="Hello").results[0].flagged)
        self.assertEqual(native.files.create(file=("b.jsonl", b"{}\n"), purpose="batch").filename, "b.jsonl")
        self.assertEqual([file.id for file in native.files.list().data], ["file-1"])
        self.assertEqual(native.files.retrieve("file-1").bytes, 3)
        self.assertTrue(native.files.delete("file-1").deleted)
        speech = native.audio.speech.create(model="gpt-4o-mini-tts", input="Hello", voice="alloy")
        self.assertEqual(speech.read(), b"ID3 sound")

    def test_calls_any_path_itself(self):
        answer = client(provider="mock").post("/chat/completions", **CHAT)
        self.assertEqual(answer.choices[0]["message"]["content"], SAID)
        self.assertEqual(client(provider="mock").get(path="/models").json()["object"], "list")

    def test_shows_errors_with_their_words(self):
        with self.assertRaises(Exception) as refused:
            chat(api_key="no-such-key", provider="mock")
        self.assertEqual(refused.exception.status_code, 401)
        self.assertIn("The gateway key is not known here.", str(refused.exception))
        self.assertTrue(refused.exception.request_id)
        with self.assertRaises(AuthenticationError) as unknown:
            client(api_key="no-such-key").configs.list()
        self.assertEqual(unknown.exception.status_code, 401)
        with self.assertRaises(Exception) as limited:
            client(provider="mock").chat.completions.create(model="mock:fault=rate-limited", messages=MESSAGES)
        self.assertEqual(limited.exception.status_code, 429)

    def test_works_without_waiting(self):
        async def call():
            asynchronous = AsyncPortkey(api_key=KEY, base_url=URL, provider="@prod")
            create = asynchronous.chat.completions.create
            answer = await create(**CHAT)
            stream = await create(**CHAT, stream=True)
            return answer, [chunk async for chunk in stream], await asynchronous.configs.list()

        answer, chunks, configs = asyncio.run(call())
        self.assertEqual(answer.choices[0].message.content, SAID)
        self.assertEqual(text_of(chunks), SAID)
        self.assertEqual(configs.object, "list")
