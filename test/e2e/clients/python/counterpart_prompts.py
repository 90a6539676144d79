"""Prompts, their parts, collections and labels by the counterpart's client."""

import unittest

from counterpart import SAID, admin, client, soon

WORDS = {"name": "Bo"}


def new_prompt(collection, **more):
    string = '[{"role":"user","content":"Hello {{name}}"}]'
    asked = {"string": string, "parameters": {"max_tokens": 9}, "virtual_key": "prod", "model": "mock", **more}
    return client().prompts.create(collection_id=collection, **asked)


class PromptTests(unittest.TestCase):
    def setUp(self):
        self.collection = client().collections.create(name=self.id().rsplit(".", 1)[-1]).id

    def test_runs_and_renders_prompts(self):
        slug = new_prompt(self.collection, name="runs").slug
        prompts = client().prompts
        run = soon(lambda: prompts.completions.create(prompt_id=slug, variables=WORDS))
        self.assertEqual(run.choices[0].message.content, "Mock answer to: Hello Bo")
        short = prompts.completions.create(prompt_id=slug, variables=WORDS, max_tokens=3)
        self.assertEqual(short.choices[0].finish_reason, "length")
        stream = prompts.completions.create(prompt_id=slug, variables=WORDS, stream=True)
        text = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
        self.assertEqual(text, "Mock answer to: Hello Bo")
        rendered = prompts.render(prompt_id=slug, variables=WORDS, temperature=0.5)
        self.assertTrue(rendered.success)
        self.assertEqual(rendered.data.messages[0].content, "Hello Bo")
        self.assertEqual((rendered.data.max_tokens, rendered.data.temperature), (9, 0.5))

    def test_keeps_prompts_and_their_versions(self):
        prompts = client().prompts
        slug = new_prompt(self.collection, name="kept", version_description="first").slug
        self.assertEqual(prompts.retrieve(slug).name, "kept")
        listed = prompts.list(collection_id=self.collection, search="kep", current_page=0, page_size=5)
        self.assertEqual([row["slug"] for row in listed.data], [slug])
        change = {"string": "Bye {{name}}", "parameters": {"model": "mock"}, "version_description": "second"}
        prompts.update(slug, name="kept on", virtual_key="prod", model="mock", **change)
        versions = prompts.versions.list(slug).data
        self.assertEqual([row["prompt_version"] for row in versions], [2, 1])
        self.assertEqual(prompts.versions.retrieve(slug, "1").prompt_version_description, "first")
        prompts.publish(slug, version=2)
        bye = soon(
            lambda: prompts.completions.create(prompt_id=slug, variables=WORDS),
            lambda answer: "Bye" in (answer.choices[0].text or ""),
        )
        self.assertEqual(bye.choices[0].text, "Mock answer to: Bye Bo")
        label = client().labels.create(name="python-version")
        prompts.versions.update(slug, versions[1]["prompt_version_id"], label_id=label.id)
        older = soon(lambda: prompts.completions.create(prompt_id=f"{slug}@python-version", variables=WORDS))
        self.assertEqual(older.choices[0].message.content, "Mock answer to: Hello Bo")
        prompts.delete(slug)
        with self.assertRaises(Exception) as gone:
            prompts.retrieve(slug)
        self.assertEqual(gone.exception.status_code, 404)

    def test_keeps_partials(self):
        partials = client().prompts.partials
        slug = partials.create(name="greeting", string="Hello", version_description="first").slug
        self.assertIn(slug, [row["slug"] for row in partials.list().data])
        prompt = new_prompt(self.collection, name="with a part", string='{{>' + slug + '}}', parameters={}).slug
        completions = client().prompts.completions
        run = soon(lambda: completions.create(prompt_id=prompt, variables={}))
        self.assertEqual(run.choices[0].text, SAID)
        partials.update(slug, name="farewell", string="Bye", description="second", status="active")
        self.assertEqual(partials.retrieve(slug).name, "farewell")
        self.assertEqual([row["version"] for row in partials.versions.list(slug).data], [2, 1])
        partials.publish(slug, version=2)
        soon(
            lambda: completions.create(prompt_id=prompt, variables={}),
            lambda answer: answer.choices[0].text == "Mock answer to: Bye",
        )
        partials.delete(slug)
        with self.assertRaises(Exception) as gone:
            partials.retrieve(slug)
        self.assertEqual(gone.exception.status_code, 404)

    def test_keeps_collections(self):
        collections = client().collections
        made = collections.create(name="python shelf")
        inner = collections.create(name="inner", parent_collection_id=made.id)
        listed = collections.list(current_page=0, page_size=5, search="python shelf")
        self.assertEqual([row["id"] for row in listed.data], [made.id])
        collections.update(made.id, name="renamed")
        self.assertEqual(collections.retrieve(made.id).name, "renamed")
        collections.delete(inner.id)
        collections.delete(made.id)
        self.assertTrue(admin().collections.create(name="of the organisation", workspace_id="ws-default").id)

    def test_keeps_labels(self):
        labels = client().labels
        made = labels.create(name="python-stage", description="A stage", color_code="#ffffff")
        listed = labels.list(current_page=0, page_size=100)
        self.assertIn("python-stage", [row["name"] for row in listed.data])
        labels.update(made.id, name="python-later", description="Later", color_code="#000000")
        self.assertEqual(labels.retrieve(made.id).color_code, "#000000")
        labels.delete(made.id)
        with self.assertRaises(Exception) as gone:
            labels.retrieve(made.id)
        self.assertEqual(gone.exception.status_code, 404)
        self.assertTrue(admin().labels.create(name="python-organisation", workspace_id="ws-default").id)
