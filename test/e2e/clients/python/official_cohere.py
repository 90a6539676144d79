"""The official `cohere` client, which finds rerank below `/v2`, whoever answers it."""

import os
import unittest

import cohere
import httpx

URL = os.environ["WEIR_URL"]
KEY = os.environ["WEIR_KEY"]
DOCUMENTS = ["Rome is old.", "Paris is the capital of France.", "France is large."]


class CohereTests(unittest.TestCase):
    def test_reranks(self):
        http = httpx.Client(headers={"x-gateway-provider": "mock"})
        client = cohere.ClientV2(api_key=KEY, base_url=URL, httpx_client=http)
        answer = client.rerank(model="mock-rerank", query="capital of France", documents=DOCUMENTS, top_n=2)
        found = [(result.index, round(result.relevance_score, 3)) for result in answer.results]
        self.assertEqual(found, [(1, 1.0), (2, 0.333)])
        self.assertTrue(answer.id)

    def test_names_the_provider_in_the_model(self):
        client = cohere.ClientV2(api_key=KEY, base_url=URL)
        answer = client.rerank(model="@mock/mock-rerank", query="old", documents=DOCUMENTS)
        self.assertEqual(answer.results[0].index, 0)
