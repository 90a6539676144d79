"""The official `openai` client, with nothing set but its base URL and its key."""

import asyncio
import os
import tempfile
import unittest
from pathlib import Path

import openai
from pydantic import BaseModel

URL = os.environ["WEIR_URL"]
KEY = os.environ["WEIR_KEY"]
MESSAGES = [{"role": "user", "content": "Hello"}]
SAID = "Mock answer to: Hello"
MOCK = {"x-gateway-provider": "mock"}
NATIVE = {"x-gateway-provider": "openai"}


class Thing(BaseModel):
    name: str
    count: int


class GetWeather(BaseModel):
    """Weather of a city."""

    city: str


def client(headers=MOCK, **options):
    options = {"api_key": KEY, "base_url": f"{URL}/v1", "max_retries": 0, **options}
    return openai.OpenAI(default_headers=headers, **options)


def text_of(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


class OpenAITests(unittest.TestCase):
    def test_chats(self):
        answer = client().chat.completions.create(model="mock", messages=MESSAGES)
        self.assertEqual(answer.choices[0].message.content, SAID)
        self.assertEqual(answer.usage.total_tokens, 5)
        self.assertTrue(answer._request_id)

    def test_has_texts_judged(self):
        answer = client().moderations.create(input=["All is well.", "I want violence."])
        self.assertEqual([result.flagged for result in answer.results], [False, True])
        self.assertTrue(answer.results[1].categories.violence)

    def test_makes_and_changes_images(self):
        images = client().images
        made = images.generate(model="mock-image", prompt="A cat", n=2)
        self.assertEqual(len([image for image in made.data if image.b64_json]), 2)
        pictures = [("a.png", b"PNG", "image/png"), ("b.png", b"PNG", "image/png")]
        self.assertEqual(images.edit(image=pictures, prompt="A hat").usage.input_tokens_details.image_tokens, 32)
        events = list(images.generate(model="mock-image", prompt="A cat", stream=True, partial_images=1))
        self.assertEqual(events[-1].type, "image_generation.completed")
        self.assertTrue(images.create_variation(image=pictures[0], response_format="url").data[0].url)

    def test_says_a_text_and_reads_it_back(self):
        audio = client().audio
        words = {"model": "mock-speech", "input": "Hello you", "voice": "alloy", "response_format": "wav"}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "hello.wav")
            with audio.speech.with_streaming_response.create(**words) as said:
                said.stream_to_file(path)
            heard = f"I heard hello.wav. It has {path.stat().st_size} bytes."
            ask = {"file": path, "model": "mock-transcribe"}
            self.assertEqual(audio.transcriptions.create(**ask).text, heard)
            self.assertTrue(audio.transcriptions.create(**ask, response_format="srt").startswith("1\n00:00:00,000"))
            timed = audio.transcriptions.create(
                **ask, response_format="verbose_json", timestamp_granularities=["word"]
            )
            self.assertEqual(len(timed.words), 7)
            deltas = list(audio.transcriptions.create(**ask, stream=True))
            self.assertEqual(deltas[-1].text, heard)
            self.assertEqual(audio.translations.create(**ask).text, heard)

    def test_gets_vectors(self):
        vectors = client().embeddings.create(model="mock-embedding", input=["a", "b"], dimensions=8)
        self.assertEqual([len(item.embedding) for item in vectors.data], [8, 8])

    def test_names_the_provider_in_the_model(self):
        answer = client({}).chat.completions.create(model="@mock/mock", messages=MESSAGES)
        self.assertEqual(answer.choices[0].message.content, SAID)

    def test_streams(self):
        usage = {"include_usage": True}
        stream = client().chat.completions.create(model="mock", messages=MESSAGES, stream=True, stream_options=usage)
        chunks = list(stream)
        self.assertEqual(text_of(chunks), SAID)
        self.assertEqual(chunks[-1].usage.total_tokens, 5)

    def test_streams_by_its_helper(self):
        with client().chat.completions.stream(model="mock", messages=MESSAGES) as stream:
            kinds = {event.type for event in stream}
            final = stream.get_final_completion()
        self.assertLessEqual({"chunk", "content.delta", "content.done"}, kinds)
        self.assertEqual(final.choices[0].message.content, SAID)

    def test_calls_tools_and_reads_their_arguments(self):
        tools = [openai.pydantic_function_tool(GetWeather)]
        completions = client().chat.completions
        first = completions.parse(model="mock-tools", messages=MESSAGES, tools=tools).choices[0]
        self.assertEqual(first.finish_reason, "tool_calls")
        call = first.message.tool_calls[0]
        self.assertEqual(call.function.parsed_arguments, GetWeather(city="mock"))
        result = {"role": "tool", "tool_call_id": call.id, "content": "sunny"}
        # As the client's own documentation does it: the message goes back as it came.
        second = completions.parse(model="mock-tools", messages=[*MESSAGES, first.message, result], tools=tools)
        self.assertEqual(second.choices[0].message.content, "Mock answer from 1 tool result: sunny")

    def test_streams_tool_calls(self):
        tools = [openai.pydantic_function_tool(GetWeather)]
        with client().chat.completions.stream(model="mock-tools", messages=MESSAGES, tools=tools) as stream:
            done = [event for event in stream if event.type == "tool_calls.function.arguments.done"]
        self.assertEqual([event.parsed_arguments for event in done], [GetWeather(city="mock")])

    def test_parses_structured_output(self):
        answer = client().chat.completions.parse(model="mock-json", messages=MESSAGES, response_format=Thing)
        self.assertEqual(answer.choices[0].message.parsed, Thing(name="mock", count=1))

    def test_completes_a_text(self):
        answer = client().completions.create(model="mock", prompt="Hello")
        self.assertEqual(answer.choices[0].text, SAID)
        pieces = client().completions.create(model="mock", prompt="Hello", stream=True)
        self.assertEqual("".join(piece.choices[0].text for piece in pieces), SAID)

    def test_embeds(self):
        # Without a wish it asks for base64 and decodes it.
        decoded = client().embeddings.create(model="mock-embedding", input=["a", "b"]).data
        plain = client().embeddings.create(model="mock-embedding", input=["a", "b"], encoding_format="float").data
        self.assertEqual(len(decoded), 2)
        for one, other in zip(decoded[1].embedding, plain[1].embedding, strict=True):
            self.assertAlmostEqual(one, other, places=5)

    def test_lists_and_reads_models(self):
        self.assertIn("mock-embedding", [model.id for model in client().models.list()])
        self.assertEqual(client(NATIVE).models.retrieve("gpt-5").owned_by, "native")
        self.assertEqual(client({}).models.retrieve("@openai/gpt-5").id, "gpt-5")

    def test_asks_for_responses_by_way_of_chat(self):
        responses = client().responses
        answer = responses.create(model="mock", input="Hello", instructions="Be brief.")
        self.assertEqual(answer.output_text, SAID)
        self.assertEqual(responses.retrieve(answer.id).output_text, SAID)
        items = [item.role for item in responses.input_items.list(answer.id)]
        self.assertEqual(items, ["user"])
        with responses.stream(model="mock", input="Again", previous_response_id=answer.id) as stream:
            kinds = [event.type for event in stream]
            final = stream.get_final_response()
        self.assertEqual([kinds[0], kinds[-1]], ["response.created", "response.completed"])
        self.assertEqual(final.output_text, "Mock answer to: Again")
        responses.delete(answer.id)
        with self.assertRaises(openai.NotFoundError):
            responses.retrieve(answer.id)
        with self.assertRaises(openai.BadRequestError):
            responses.create(model="mock", input="Hello", background=True)

    def test_parses_responses_and_calls_tools(self):
        responses = client().responses
        thing = responses.parse(model="mock-json", input="A thing?", text_format=Thing).output_parsed
        self.assertIsInstance(thing, Thing)
        tools = [openai.pydantic_function_tool(GetWeather)["function"] | {"type": "function"}]
        first = responses.create(model="mock-tools", input="Weather?", tools=tools)
        call = first.output[0]
        self.assertEqual(call.type, "function_call")
        result = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}
        second = responses.create(model="mock-tools", input=[result], previous_response_id=first.id, tools=tools)
        self.assertIn("sunny", second.output_text)

    def test_asks_for_responses(self):
        responses = client(NATIVE).responses
        self.assertEqual(responses.create(model="gpt-5", input="Hello").output_text, "Native answer")
        with responses.stream(model="gpt-5", input="Hello") as stream:
            kinds = [event.type for event in stream]
            self.assertEqual(stream.get_final_response().output_text, "Native answer")
        self.assertEqual(kinds[-1], "response.completed")

    def test_reaches_the_other_routes_of_the_provider(self):
        native = client(NATIVE)
        self.assertEqual(native.images.generate(model="gpt-image-1", prompt="A cat").data[0].b64_json, "aGk=")
        self.assertFalse(native.moderations.create(input="Hello").results[0].flagged)
        speech = native.audio.speech.create(model="gpt-4o-mini-tts", input="Hello", voice="alloy")
        self.assertEqual(speech.content, b"ID3 sound")
        heard = native.audio.transcriptions.create(model="whisper-1", file=("heard.wav", b"RIFF"))
        self.assertEqual(heard.text, "heard.wav")

    def test_keeps_files(self):
        files = client(NATIVE).files
        self.assertEqual(files.create(file=("b.jsonl", b"{}\n"), purpose="batch").filename, "b.jsonl")
        self.assertEqual([file.id for file in files.list()], ["file-1"])
        self.assertEqual(files.retrieve("file-1").bytes, 3)
        self.assertTrue(files.delete("file-1").deleted)

    def test_shows_errors_with_their_request_id(self):
        with self.assertRaises(openai.AuthenticationError) as refused:
            client(api_key="no-such-key").chat.completions.create(model="mock", messages=MESSAGES)
        self.assertIn("The gateway key is not known here.", str(refused.exception))
        self.assertTrue(refused.exception.request_id)
        with self.assertRaises(openai.RateLimitError) as limited:
            client().chat.completions.create(model="mock:fault=rate-limited", messages=MESSAGES)
        self.assertEqual(limited.exception.code, "rate_limit_exceeded")
        self.assertTrue(limited.exception.request_id)
        with self.assertRaises(openai.BadRequestError) as unnamed:
            client({}).chat.completions.create(model="mock", messages=MESSAGES)
        self.assertIn("@provider/model", unnamed.exception.message)

    def test_runs_assistants(self):
        beta = client().beta
        assistant = beta.assistants.create(model="mock", instructions="Be brief.")
        thread = beta.threads.create(messages=MESSAGES)
        run = beta.threads.runs.create_and_poll(thread_id=thread.id, assistant_id=assistant.id)
        self.assertEqual(run.status, "completed")
        newest = beta.threads.messages.list(thread.id, limit=1).data[0]
        self.assertEqual(newest.content[0].text.value, SAID)
        with beta.threads.runs.stream(thread_id=thread.id, assistant_id=assistant.id) as stream:
            self.assertEqual("".join(stream.text_deltas), SAID)
        self.assertTrue(beta.assistants.delete(assistant.id).deleted)

    def test_keeps_vector_stores(self):
        stores = client().vector_stores
        store = stores.create(name="Papers", file_ids=["file-1"])
        stores.file_batches.create_and_poll(store.id, file_ids=["file-2"])
        self.assertEqual({file.id for file in stores.files.list(store.id)}, {"file-1", "file-2"})
        self.assertTrue(stores.delete(store.id).deleted)

    def test_trains_models(self):
        jobs = client().fine_tuning.jobs
        made = jobs.create(model="mock", training_file="file-1", suffix="python")
        self.assertEqual(jobs.retrieve(made.id).status, "running")
        self.assertTrue(jobs.retrieve(made.id).fine_tuned_model)
        self.assertEqual(len(list(jobs.list_events(made.id, limit=1))), 3)
        self.assertEqual([point.step_number for point in jobs.checkpoints.list(made.id)], [100, 50])
        self.assertIn(made.id, [job.id for job in jobs.list()])

    def test_retries_by_itself(self):
        model = f"mock:fault=retry-after-ms,times=1,key=python-{os.getpid()}"
        answer = client(max_retries=2).chat.completions.create(model=model, messages=MESSAGES)
        self.assertEqual(answer.choices[0].message.content, SAID)

    def test_works_at_once_and_without_waiting(self):
        async def many():
            options = {"api_key": KEY, "base_url": f"{URL}/v1", "default_headers": MOCK}
            async with openai.AsyncOpenAI(**options) as asynchronous:
                create = asynchronous.chat.completions.create
                answers = await asyncio.gather(*(create(model="mock", messages=MESSAGES) for _ in range(20)))
                stream = await create(model="mock", messages=MESSAGES, stream=True)
                return [answer.choices[0].message.content for answer in answers], [chunk async for chunk in stream]

        texts, chunks = asyncio.run(many())
        self.assertEqual(set(texts), {SAID})
        self.assertEqual(text_of(chunks), SAID)

    def test_is_made_for_azure_too(self):
        options = {"azure_endpoint": URL, "api_version": "2024-10-21", "default_headers": MOCK, "max_retries": 0}
        for credentials in ({"api_key": KEY}, {"azure_ad_token": KEY}):
            azure = openai.AzureOpenAI(**options, **credentials)
            answer = azure.chat.completions.create(model="mock", messages=MESSAGES)
            self.assertEqual(answer.choices[0].message.content, SAID)
            self.assertEqual(text_of(azure.chat.completions.create(model="mock", messages=MESSAGES, stream=True)), SAID)
            self.assertEqual(len(azure.embeddings.create(model="mock-embedding", input="a").data), 1)
        deployment = openai.AzureOpenAI(**options, api_key=KEY, azure_deployment="mock")
        answer = deployment.chat.completions.create(model="of-nobody", messages=MESSAGES)
        self.assertEqual(answer.model, "mock")
