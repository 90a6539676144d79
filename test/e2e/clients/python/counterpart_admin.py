"""Keys, configs, integrations, providers and workspaces by the counterpart's client."""

import os
import unittest

from counterpart import PROVIDER_KEY, PROVIDER_URL, SAID, admin, chat, client, soon

BUDGET = {"credit_limit": 10, "alert_threshold": 9, "periodic_reset": "monthly"}
RATE = [{"type": "requests", "unit": "rpm", "value": 500}]
LATER = "2099-01-01T00:00:00Z"
# Somebody in the default workspace.
MEMBER_ID = os.environ["WEIR_MEMBER"]


def status_of(call):
    try:
        call()
    except Exception as failure:
        return failure.status_code
    return 200


class AdminTests(unittest.TestCase):
    def test_keeps_workspaces(self):
        workspaces = admin().admin.workspaces
        made = workspaces.create(name="python", description="Made", defaults={"metadata": {"team": "a"}})
        self.assertEqual((made.name, made.defaults), ("python", {"metadata": {"team": "a"}}))
        self.assertEqual(workspaces.retrieve(workspace_id=made.slug).id, made.id)
        workspaces.update(workspace_id=made.id, name="python two", description="Changed")
        listed = workspaces.list(exact_name="python two", page_size=5, current_page=0)
        self.assertEqual([row.description for row in listed.data], ["Changed"])
        self.assertEqual(len(workspaces.list(page_size=1, current_page=1).data), 1)
        workspaces.delete(workspace_id=made.id, name="python two")
        self.assertEqual(status_of(lambda: workspaces.retrieve(workspace_id=made.id)), 404)

    def test_keeps_keys_of_a_workspace(self):
        keys = admin().api_keys
        limits = {"rate_limits": RATE, "usage_limits": BUDGET}
        made = keys.create(
            type="workspace",
            sub_type="service",
            name="python",
            description="Made",
            workspace_id="ws-default",
            scopes=["completions.write"],
            defaults={"metadata": {"team": "a"}},
            expires_at=LATER,
            **limits,
        )
        self.assertEqual(made.object, "api-key")
        soon(lambda: chat(api_key=made.key, provider="mock"))
        read = keys.retrieve(id=made.id)
        self.assertEqual((read.type, read.usage_limits["credit_limit"]), ("workspace-service", 10))
        keys.update(id=made.id, name="python two", description="Changed", scopes=["completions.write"], **limits)
        self.assertEqual(keys.retrieve(id=made.id).name, "python two")
        self.assertIn(made.id, [row["id"] for row in keys.list(workspace_id="ws-default", page_size=50).data])
        self.assertNotIn(made.key, str(keys.list().data))
        keys.delete(id=made.id)
        self.assertEqual(status_of(lambda: keys.retrieve(id=made.id)), 404)
        soon(lambda: status_of(lambda: chat(api_key=made.key, provider="mock")), lambda status: status == 401)

    def test_keeps_keys_of_the_organisation_and_of_users(self):
        keys = admin().api_keys
        service = keys.create(
            type="organisation", sub_type="service", name="python", scopes=["workspaces.list", "workspaces.read"]
        )
        self.assertTrue(client(api_key=service.key).admin.workspaces.list().data)
        user = keys.create(
            type="workspace",
            sub_type="user",
            name="of a user",
            workspace_id="ws-default",
            user_id=MEMBER_ID,
            scopes=["completions.write"],
        )
        self.assertEqual(keys.retrieve(id=user.id).type, "workspace-user")
        for made in (service, user):
            keys.delete(id=made.id)

    def test_makes_keys_with_the_key_of_a_workspace(self):
        made = client().api_keys.create(
            type="workspace", sub_type="service", name="its own", scopes=["completions.write"]
        )
        self.assertTrue(made.key)
        client().api_keys.delete(id=made.id)

    def test_keeps_configs(self):
        configs = client().configs
        made = configs.create(name="python", config={"virtual_key": "prod"})
        self.assertTrue(made.slug.startswith("pc-"))
        self.assertEqual(soon(lambda: chat(config=made.slug)).choices[0].message.content, SAID)
        self.assertEqual(configs.retrieve(slug=made.slug).name, "python")
        self.assertIn(made.slug, [row["slug"] for row in configs.list().data])
        self.assertIn(made.slug, [row["slug"] for row in admin().configs.list(workspace_id="ws-default").data])
        two = {"virtual_key": "prod", "override_params": {"n": 2}}
        configs.update(slug=made.slug, name="python two", config=two, status="active")
        soon(lambda: chat(config=made.slug), lambda answer: len(answer.choices) == 2)
        configs.delete(slug=made.slug)
        self.assertEqual(status_of(lambda: configs.retrieve(slug=made.slug)), 404)
        owned = admin().configs.create(name="named", config=two, is_default=0, workspace_id="ws-default")
        configs.delete(slug=owned.slug)

    def test_keeps_integrations_and_providers(self):
        integrations = admin().integrations
        slug = "python-integration"
        made = integrations.create(
            name="python",
            description="Made",
            key=PROVIDER_KEY,
            ai_provider_id="openai",
            slug=slug,
            configurations={"custom_host": PROVIDER_URL},
        )
        self.assertEqual(made.slug, slug)
        self.assertIn(slug, [row.slug for row in integrations.list(type="all").data])
        self.assertEqual(integrations.retrieve(slug=slug).ai_provider_id, "openai")
        integrations.update(slug=slug, name="python two", description="Changed", key=PROVIDER_KEY)
        self.assertNotIn(PROVIDER_KEY, str(integrations.retrieve(slug=slug)))

        integrations.workspaces.update(
            slug=slug,
            global_workspace_access={"enabled": True},
            override_existing_workspaces_access=True,
            workspaces=[{"id": "ws-default", "enabled": True, "create_default_provider": False}],
        )
        self.assertTrue(integrations.workspaces.list(slug=slug).workspaces[0].enabled)
        models = [
            {"slug": "mock", "enabled": True},
            {"slug": "python-model", "enabled": True, "is_custom": True, "base_model_slug": "gpt-4o"},
        ]
        integrations.models.update(slug=slug, allow_all_models=False, models=models)
        self.assertIn("python-model", [model.slug for model in integrations.models.list(slug=slug).models])
        integrations.models.delete(slug=slug, slugs="python-model")

        providers = client().providers
        # Its types have no list of rate limits, which the interface has.
        limits = {"usage_limits": BUDGET, "expires_at": LATER}
        providers.create(name="python", integration_id=slug, slug="python-provider", note="Made", **limits)
        self.assertEqual(soon(lambda: chat(provider="@python-provider")).choices[0].message.content, SAID)
        self.assertEqual(providers.retrieve(slug="python-provider").usage_limits["type"], "cost")
        self.assertIn("python-provider", [row.slug for row in providers.list(page_size=50).data])
        organisation = admin().providers
        at = {"slug": "python-provider", "workspace_id": "ws-default"}
        organisation.update(**at, note="Changed", reset_usage=True)
        self.assertEqual(organisation.retrieve(**at).note, "Changed")
        organisation.delete(**at)
        self.assertEqual(status_of(lambda: providers.retrieve(slug="python-provider")), 404)
        integrations.delete(slug=slug)
        self.assertEqual(status_of(lambda: integrations.retrieve(slug=slug)), 404)

    def test_keeps_virtual_keys(self):
        keys = client().virtual_keys
        made = keys.create(
            name="python", provider="openai", key=PROVIDER_KEY, note="Made", usage_limits=BUDGET, custom_host=PROVIDER_URL
        )
        slug = made.data["slug"]
        self.assertEqual(soon(lambda: chat(virtual_key=slug)).choices[0].message.content, SAID)
        self.assertEqual(keys.retrieve(slug=slug).note, "Made")
        keys.update(slug=slug, name="python two", note="Changed", key=PROVIDER_KEY, rate_limits=RATE)
        found = [row for row in admin().virtual_keys.list(workspace_id="ws-default").data if row["slug"] == slug]
        self.assertEqual([row["note"] for row in found], ["Changed"])
        self.assertNotIn(PROVIDER_KEY, str(keys.list().data))
        keys.delete(slug=slug)
        self.assertEqual(status_of(lambda: keys.retrieve(slug=slug)), 404)
        azure = keys.create(
            name="azure", provider="azure-openai", key="k", apiVersion="2024-10-21", resourceName="r", deploymentName="d"
        )
        keys.delete(slug=azure.data["slug"])

    def test_keeps_guardrails(self):
        guardrails = client(provider="@prod").guardrails
        checks = [{"id": "default.contains", "parameters": {"words": ["secret"], "operator": "none"}}]
        made = guardrails.create(name="python", checks=checks, actions={"deny": True})
        read = guardrails.retrieve(guardrail_id=made.slug)
        self.assertEqual((read.name, read.checks[0]["id"], read.actions["deny"]), ("python", "default.contains", True))
        guardrails.update(guardrail_id=made.slug, actions={"deny": False})
        self.assertFalse(guardrails.retrieve(guardrail_id=made.slug).actions["deny"])
        self.assertIn(made.slug, [row["slug"] for row in guardrails.list(page_size=50).data])
        guardrails.delete(guardrail_id=made.slug)
        self.assertEqual(status_of(lambda: guardrails.retrieve(guardrail_id=made.slug)), 403)

    def test_keeps_people(self):
        users = admin().admin.users
        self.assertIn(MEMBER_ID, [row.id for row in users.list(page_size=50).data])
        self.assertEqual(users.retrieve(user_id=MEMBER_ID).role, "member")
        invites = admin().admin.users.invites
        made = invites.create(email="python@ours.example", role="member", workspaces=[{"id": "ws-default", "role": "member"}])
        self.assertEqual(invites.retrieve(invite_id=made.id).email, "python@ours.example")
        self.assertIn(made.id, [row.id for row in invites.list(page_size=50).data])
        invites.delete(invite_id=made.id)
        members = admin().admin.workspaces.users
        at = {"workspace_id": "ws-default", "user_id": MEMBER_ID}
        members.update(**at, role="manager")
        self.assertEqual(members.retrieve(**at).role, "manager")
        self.assertIn(MEMBER_ID, [row["id"] for row in members.list(workspace_id="ws-default").data])
        # Never sent to a provider: the key of a workspace has no such scope.
        self.assertEqual(status_of(lambda: client(provider="@prod").admin.users.list(page_size=5)), 403)

    def test_keeps_mcp_servers(self):
        integrations = admin().mcp_integrations
        integration = integrations.create(
            name="python", url=PROVIDER_URL, auth_type="none", transport="http", slug="python-tools"
        )
        self.assertEqual(integrations.retrieve(mcp_integration_id=integration.id).slug, "python-tools")
        integrations.workspaces.update(
            mcp_integration_id=integration.id, workspaces=[{"id": "ws-default", "enabled": True}]
        )
        servers = client(provider="@prod").mcp_servers
        made = servers.create(name="python", mcp_integration_id=integration.id, slug="python-tools")
        self.assertIn(made.id, [row["id"] for row in servers.list().data])
        self.assertEqual(servers.retrieve(mcp_server_id=made.id).slug, "python-tools")
        servers.delete(mcp_server_id=made.id)
        integrations.delete(mcp_integration_id=integration.id)
        self.assertEqual(status_of(lambda: integrations.retrieve(mcp_integration_id=integration.id)), 404)
