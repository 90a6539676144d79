"""The official `google-genai` client: its own format passes through, its `x-goog-api-key` is the gateway's."""

import asyncio
import json
import os
import unittest
import urllib.request

from google import genai
from google.genai import errors, types

URL = os.environ["WEIR_URL"]
KEY = os.environ["WEIR_KEY"]
NATIVE_KEY = os.environ["NATIVE_KEY"]
NATIVE = {"x-gateway-provider": "google"}
MODEL = "gemini-2.5-flash"
SAID = "Hello there!"


def client(api_key=KEY, headers=NATIVE, url=URL, **options):
    return genai.Client(api_key=api_key, http_options=types.HttpOptions(base_url=url, headers=headers, **options))


def text_of(made, model=MODEL):
    return made.models.generate_content(model=model, contents="Hello").text


class GoogleTests(unittest.TestCase):
    def test_generates(self):
        made = client()
        answer = made.models.generate_content(model=MODEL, contents="Hello")
        self.assertEqual(answer.text, SAID)
        self.assertEqual(answer.usage_metadata.total_token_count, 13)

    def test_has_either_version(self):
        for version in ("v1", "v1beta"):
            made = client(api_version=version)
            self.assertEqual(text_of(made), SAID, version)

    def test_has_a_base_url_with_our_version(self):
        made = client(url=f"{URL}/v1", api_version="v1beta")
        self.assertEqual(text_of(made), SAID)

    def test_names_the_provider_in_the_model(self):
        made = client(headers={})
        self.assertEqual(text_of(made, f"models/@google/{MODEL}"), SAID)

    def test_brings_a_key_of_its_own(self):
        made = client(api_key=NATIVE_KEY, headers={**NATIVE, "x-gateway-api-key": KEY})
        self.assertEqual(text_of(made), SAID)

    def test_streams(self):
        made = client(api_version="v1beta")
        pieces = [piece.text for piece in made.models.generate_content_stream(model=MODEL, contents="Hello")]
        self.assertGreater(len(pieces), 1)
        self.assertTrue("".join(piece or "" for piece in pieces).startswith("Hello "))

    def test_counts_and_embeds(self):
        made = client(api_version="v1beta")
        self.assertEqual(made.models.count_tokens(model=MODEL, contents="Hello").total_tokens, 7)
        embedded = made.models.embed_content(model="gemini-embedding-001", contents="Hello")
        self.assertEqual(embedded.embeddings[0].values, [0.5, 0.25])

    def test_lists_and_reads_models(self):
        made = client(api_version="v1beta")
        self.assertEqual([model.name for model in made.models.list()], ["models/gemini-native"])
        self.assertEqual(made.models.get(model=MODEL).name, f"models/{MODEL}")

    def test_works_without_waiting(self):
        async def call():
            made = client()
            answer = await made.aio.models.generate_content(model=MODEL, contents="Hello")
            return answer.text

        self.assertEqual(asyncio.run(call()), SAID)

    def test_shows_our_errors(self):
        made = client(api_key="no-such-key")
        with self.assertRaises(errors.ClientError) as refused:
            text_of(made)
        self.assertEqual(refused.exception.code, 401)
        self.assertIn("The gateway key is not known here.", str(refused.exception))

    def test_has_the_key_in_the_query(self):
        # Not this client, but the examples of the provider's pages.
        body = json.dumps({"contents": [{"parts": [{"text": "Hello"}]}]}).encode()
        request = urllib.request.Request(
            f"{URL}/v1beta/models/{MODEL}:generateContent?key={KEY}",
            data=body,
            headers={**NATIVE, "content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=20) as response:
            self.assertIn("candidates", json.load(response))
