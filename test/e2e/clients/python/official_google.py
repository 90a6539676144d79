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


MOCK = {"x-gateway-provider": "mock"}
WEATHER = types.Tool(
    function_declarations=[
        types.FunctionDeclaration(
            name="get_weather",
            description="Weather of a city",
            parameters=types.Schema(
                type=types.Type.OBJECT, properties={"city": types.Schema(type=types.Type.STRING)}, required=["city"]
            ),
        )
    ]
)


class OtherProviderTests(unittest.TestCase):
    """Its calls at a provider that only has chat."""

    def test_elsewhere_generates_and_streams(self):
        made = client(headers=MOCK)
        models = made.models
        answer = models.generate_content(
            model="mock",
            contents="Hello",
            config=types.GenerateContentConfig(system_instruction="Be brief.", max_output_tokens=50),
        )
        self.assertEqual(answer.text, "Mock answer to: Hello")
        self.assertEqual(answer.candidates[0].finish_reason, types.FinishReason.STOP)
        self.assertEqual(answer.usage_metadata.candidates_token_count, 4)
        pieces = list(models.generate_content_stream(model="mock", contents="Hello"))
        self.assertEqual("".join(piece.text or "" for piece in pieces), "Mock answer to: Hello")
        self.assertEqual(pieces[-1].usage_metadata.prompt_token_count, 1)

    def test_elsewhere_calls_tools_in_a_chat(self):
        for streamed in (False, True):
            config = types.GenerateContentConfig(tools=[WEATHER])
            made = client(headers=MOCK)
            chat = made.chats.create(model="mock-tools", config=config)

            def send(message):
                if not streamed:
                    return [chat.send_message(message)]
                return list(chat.send_message_stream(message))

            calls = [call for answer in send("Weather in Rome?") for call in answer.function_calls or []]
            self.assertEqual([call.name for call in calls], ["get_weather"])
            result = types.Part(
                function_response=types.FunctionResponse(
                    id=calls[0].id, name="get_weather", response={"sky": "clear"}
                )
            )
            said = "".join(answer.text or "" for answer in send(result))
            self.assertEqual(said, 'Mock answer from 1 tool result: {"sky":"clear"}')
            self.assertEqual([content.role for content in chat.get_history(curated=True)][:2], ["user", "model"])

    def test_elsewhere_calls_functions_by_itself(self):
        def get_weather(city: str) -> str:
            """Weather of a city."""
            return f"clear in {city}"

        made = client(headers=MOCK)
        answer = made.models.generate_content(
            model="mock-tools", contents="Weather?", config=types.GenerateContentConfig(tools=[get_weather])
        )
        self.assertIn("Mock answer from 1 tool result", answer.text)

    def test_elsewhere_has_structured_output(self):
        schema = types.Schema(
            type=types.Type.OBJECT, properties={"name": types.Schema(type=types.Type.STRING)}, required=["name"]
        )
        made = client(headers=MOCK)
        answer = made.models.generate_content(
            model="mock-json",
            contents="A city",
            config=types.GenerateContentConfig(response_mime_type="application/json", response_schema=schema),
        )
        self.assertEqual(list(json.loads(answer.text)), ["name"])

    def test_elsewhere_sees_bytes(self):
        picture = types.Part.from_bytes(data=bytes([251, 239, 190, 255]), mime_type="image/png")
        made = client(headers=MOCK)
        answer = made.models.generate_content(model="mock-vision", contents=["What?", picture])
        self.assertIn("1 image", answer.text)

    def test_elsewhere_counts_and_embeds(self):
        made = client(headers=MOCK)
        models = made.models
        self.assertGreater(models.count_tokens(model="mock", contents="How long is this?").total_tokens, 3)
        embedded = models.embed_content(
            model="mock-embedding", contents=["a", "b"], config=types.EmbedContentConfig(output_dimensionality=4)
        )
        self.assertEqual([len(each.values) for each in embedded.embeddings], [4, 4])

    def test_elsewhere_lists_and_reads_models(self):
        made = client(headers=MOCK)
        models = made.models
        self.assertIn("models/mock-tools", [model.name for model in models.list(config={"page_size": 3})])
        self.assertEqual(models.get(model="mock").name, "models/mock")

    def test_elsewhere_shows_errors(self):
        made = client(headers=MOCK)
        with self.assertRaises(errors.ClientError) as limited:
            text_of(made, "mock:fault=rate-limited")
        self.assertEqual((limited.exception.code, limited.exception.status), (429, "RESOURCE_EXHAUSTED"))
        with self.assertRaises(errors.APIError):
            list(made.models.generate_content_stream(model="mock:fault=error-event,at=3", contents="a"))
