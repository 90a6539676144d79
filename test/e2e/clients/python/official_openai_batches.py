"""The official `openai` client: files and batches of a gateway, over a provider that has none."""

import json
import os
import time
import unittest

import openai

URL = os.environ["WEIR_URL"]
KEY = os.environ["WEIR_KEY"]


def client():
    headers = {"x-gateway-provider": "mock"}
    return openai.OpenAI(api_key=KEY, base_url=f"{URL}/v1", max_retries=0, default_headers=headers)


def line(custom_id):
    body = {"model": "mock", "messages": [{"role": "user", "content": "Hello"}]}
    return json.dumps({"custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions", "body": body})


class BatchTests(unittest.TestCase):
    def test_keeps_files(self):
        files = client().files
        file = files.create(file=("a.txt", b"Hello"), purpose="user_data")
        self.assertEqual((file.bytes, file.filename, file.purpose), (5, "a.txt", "user_data"))
        self.assertIn(file.id, [each.id for each in files.list(purpose="user_data", limit=1)])
        self.assertEqual(files.content(file.id).read(), b"Hello")
        with files.with_streaming_response.content(file.id) as answer:
            self.assertEqual(b"".join(answer.iter_bytes()), b"Hello")
        self.assertTrue(files.delete(file.id).deleted)
        with self.assertRaises(openai.NotFoundError):
            files.retrieve(file.id)
        with self.assertRaises(openai.BadRequestError) as refused:
            files.create(file=("a.txt", b"Hello"), purpose="fun")
        self.assertEqual(refused.exception.param, "purpose")

    def test_runs_batches(self):
        api = client()
        lines = "\n".join(line(f"line-{number}") for number in range(5))
        file = api.files.create(file=("in.jsonl", lines.encode()), purpose="batch")
        batch = api.batches.create(
            input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h", metadata={"job": "nightly"}
        )
        until = time.monotonic() + 60
        while batch.status not in ("completed", "failed") and time.monotonic() < until:
            time.sleep(0.1)
            batch = api.batches.retrieve(batch.id)
        self.assertEqual((batch.status, batch.request_counts.completed), ("completed", 5))
        results = [json.loads(text) for text in api.files.content(batch.output_file_id).text.splitlines()]
        self.assertEqual([each["custom_id"] for each in results], [f"line-{number}" for number in range(5)])
        said = {each["response"]["body"]["choices"][0]["message"]["content"] for each in results}
        self.assertEqual(said, {"Mock answer to: Hello"})
        self.assertIn(batch.id, [each.id for each in api.batches.list(limit=2)])
        with self.assertRaises(openai.ConflictError):
            api.batches.cancel(batch.id)
