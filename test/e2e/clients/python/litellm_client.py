"""LiteLLM as a client, in each of its dialects, at providers of each form."""

import json
import os
import unittest

# Its list of models comes with it: nothing is fetched.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm  # noqa: E402
from each import each  # noqa: E402

URL = os.environ["WEIR_URL"]
KEY = os.environ["WEIR_KEY"]
MODELS = json.loads(os.environ["MODELS"])
BASES = {"openai": f"{URL}/v1", "anthropic": URL, "gemini": f"{URL}/v1beta"}
SAID = "Hello there, Grüße 🙂!"

WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}

litellm.suppress_debug_info = True


def ask(dialect, provider, scene, **more):
    messages = more.pop("messages", [{"role": "user", "content": f"Please. [scene:{scene}]"}])
    return litellm.completion(
        model=f"{dialect}/@{provider}/{MODELS[provider]}",
        api_base=BASES[dialect],
        api_key=KEY,
        messages=messages,
        num_retries=0,
        **more,
    )


class LiteLLMTests(unittest.TestCase):
    def test_answers(self):
        def check(dialect, provider):
            answer = ask(dialect, provider, "text")
            self.assertEqual(answer.choices[0].message.content, SAID)
            self.assertEqual(answer.choices[0].finish_reason, "stop")
            self.assertEqual((answer.usage.prompt_tokens, answer.usage.completion_tokens), (20, 11))

        each(check, BASES, MODELS)

    def test_streams(self):
        def check(dialect, provider):
            pieces = [chunk.choices[0].delta.content or "" for chunk in ask(dialect, provider, "text", stream=True)]
            self.assertEqual("".join(pieces), SAID)
            self.assertGreater(len(pieces), 2)

        each(check, BASES, MODELS)

    def test_calls_tools_and_goes_on(self):
        def check(dialect, provider):
            asked = [{"role": "user", "content": "Please. [scene:tools]"}]
            message = ask(dialect, provider, "tools", messages=asked, tools=[WEATHER]).choices[0].message
            self.assertEqual([call.function.name for call in message.tool_calls], ["weather", "weather"])
            self.assertEqual(json.loads(message.tool_calls[1].function.arguments), {"city": "Oslo", "days": 2})
            results = [
                {"role": "tool", "tool_call_id": call.id, "name": "weather", "content": "7 degrees"}
                for call in message.tool_calls
            ]
            messages = [*asked, message.model_dump(), *results, {"role": "user", "content": "[scene:results]"}]
            answer = ask(dialect, provider, "results", messages=messages, tools=[WEATHER])
            self.assertEqual(answer.choices[0].message.content, "18 in Paris, 7 in Oslo.")

        each(check, BASES, MODELS)

    def test_has_errors_of_the_provider(self):
        def check(dialect, provider):
            with self.assertRaises(litellm.RateLimitError):
                ask(dialect, provider, "limited")
            with self.assertRaises(litellm.BadRequestError):
                ask(dialect, provider, "refused")

        each(check, BASES, MODELS)

    def test_speaks_responses(self):
        def check(provider):
            answer = litellm.responses(
                model=f"openai/@{provider}/{MODELS[provider]}",
                api_base=BASES["openai"],
                api_key=KEY,
                input="Please. [scene:text]",
            )
            texts = [part.text for item in answer.output if item.type == "message" for part in item.content]
            self.assertEqual("".join(texts), SAID)

        each(check, MODELS)
