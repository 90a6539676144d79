import { addPerson } from '../../../src/management/test-support/add-person.ts'
import { createInvite } from '../../../src/people/invites.ts'
import { describeKey } from '../../../src/store/key-material.ts'
import { webhookRows } from '../../../src/store/objects/alerts.ts'
import { findApiKeyByPublicId } from '../../../src/store/objects/api-keys.ts'
import { collectionRows } from '../../../src/store/objects/collections.ts'
import { configRows } from '../../../src/store/objects/configs.ts'
import { deploymentRows } from '../../../src/store/objects/deployments.ts'
import { guardrailRows } from '../../../src/store/objects/guardrails.ts'
import { putIntegrationModels } from '../../../src/store/objects/integration-models.ts'
import { integrationRows } from '../../../src/store/objects/integrations.ts'
import { labelRows } from '../../../src/store/objects/labels.ts'
import { partialRows } from '../../../src/store/objects/prompt-partials.ts'
import { promptRows } from '../../../src/store/objects/prompts.ts'
import { providerRows } from '../../../src/store/objects/providers.ts'
import { policyRows } from '../../../src/store/objects/rate-limit-policies.ts'
import { scimGroupRows } from '../../../src/store/objects/scim-groups.ts'
import { scimWorkspaceRows } from '../../../src/store/objects/scim-workspaces.ts'
import { secretReferenceRows } from '../../../src/store/objects/secret-references.ts'
import { sessionRows } from '../../../src/store/objects/sessions.ts'
import { usagePolicyRows } from '../../../src/store/objects/usage-limit-policies.ts'
import { userRows } from '../../../src/store/objects/users.ts'
import { promptContent } from '../../../src/store/testing.ts'
import type { Db } from '../../../src/store/types.ts'
import type { Tenant } from './tenants.ts'

/** One of everything, in a place where the caller has no business. */
export interface ForeignObjects {
  /** All that a path could name them by. */
  readonly references: readonly string[]
}

const ACTIONS = {
  deny: false,
  async: false,
  sequential: false,
  soft_deny_200: false,
  stream_mode: 'after',
  stream_window: 200,
} as const

/** Makes them through the store, in the second workspace of the tenant. */
export const makeForeignObjects = async (db: Db, tenant: Tenant): Promise<ForeignObjects> => {
  const { id: workspaceId } = tenant.second
  const slug = `foreign-${crypto.randomUUID()}`
  const integration = await integrationRows.insert(db, {
    organisationId: tenant.organisationId,
    workspaceId,
    slug: `${slug}-integration`,
    name: 'foreign',
    aiProviderId: 'openai',
  })
  await putIntegrationModels(db, {
    integrationId: integration.id,
    models: [{ slug: 'foreign-model', enabled: true, isCustom: true }],
  })
  const secretReference = await secretReferenceRows.insert(db, {
    organisationId: tenant.organisationId,
    slug: `${slug}-secret`,
    name: 'foreign',
    managerType: 'environment',
    secretPath: 'PROVIDER_FOREIGN',
    allowAllWorkspaces: false,
    createdBy: 'foreign',
  })
  const provider = await providerRows.insert(db, {
    workspaceId,
    integrationId: integration.id,
    slug: `${slug}-provider`,
    name: 'foreign',
  })
  const config = await configRows.create(db, {
    id: crypto.randomUUID(),
    organisationId: tenant.organisationId,
    workspaceId,
    slug: `${slug}-config`,
    name: 'foreign',
    isDefault: false,
    content: { config: { virtual_key: 'foreign' }, secrets: [] },
    by: 'foreign',
  })
  const guardrail = (of: string | null) =>
    guardrailRows.create(db, {
      organisationId: tenant.organisationId,
      workspaceId: of,
      slug: `${slug}-guardrail-of-${of === null ? 'all' : 'one'}`,
      name: 'foreign',
      target: 'mcp_tools',
      content: { checks: [], actions: ACTIONS },
      by: 'foreign',
    })
  const guardrails = [await guardrail(workspaceId), await guardrail(null)]
  const webhook = await webhookRows.insert(db, {
    organisationId: tenant.organisationId,
    workspaceId,
    url: 'https://hooks.example.com/foreign',
    secret: 'sealed',
  })
  const policy = await policyRows.insert(db, {
    organisationId: tenant.organisationId,
    workspaceId,
    conditions: [{ key: 'api_key', value: '*' }],
    // As those of the samples, so that a body that fits them would fit this one.
    groupBy: ['api_key', 'metadata.team'],
    type: 'requests',
    unit: 'rpm',
    value: 1,
  })
  const usagePolicy = await usagePolicyRows.insert(db, {
    organisationId: tenant.organisationId,
    workspaceId,
    conditions: [{ key: 'api_key', value: '*' }],
    groupBy: ['api_key', 'metadata.team'],
    type: 'cost',
    creditLimit: 1,
    schedule: { since: { startMs: 0, setAtMs: 0 } },
  })
  const owner = { organisationId: tenant.organisationId, workspaceId, name: 'foreign' }
  const collection = await collectionRows.insert(db, { ...owner, slug: `${slug}-collection`, parentCollectionId: null })
  const { object: partial } = await partialRows.create(db, {
    ...owner,
    slug: `${slug}-partial`,
    content: { template: 'foreign', description: null },
    by: 'foreign',
  })
  const { object: prompt, version } = await promptRows.create(db, {
    ...owner,
    slug: `${slug}-prompt`,
    collectionId: collection.id,
    content: promptContent('foreign'),
    by: 'foreign',
  })
  const deployment = await deploymentRows.insert(db, {
    organisationId: tenant.organisationId,
    slug: `${slug}-deployment`,
    name: 'foreign',
    username: `${slug}-deployment`,
    passwordHash: 'foreign',
    masked: { password: 'foreign', clientAuth: 'foreign' },
    createdBy: 'foreign',
  })
  const { organisationId } = tenant
  const email = `${slug}@example.com`
  const userId = await addPerson(db, { organisationId, email, workspaces: [workspaceId] })
  const invite = {
    organisationId,
    email: `new-${email}`,
    role: 'member',
    workspaces: [],
    invitedBy: 'foreign',
  } as const
  const invited = await db.transaction((transaction) => createInvite(transaction, invite, Date.now()))
  const label = await labelRows.insert(db, { ...owner, name: `${slug}-label`, description: null, colorCode: null })
  const person = `${slug}@foreign.example`
  const user = await userRows.insert(db, {
    ...{ organisationId, email: person, userName: person, role: 'member', source: 'scim' },
  })
  const group = await scimGroupRows.insert(db, { organisationId, displayName: slug })
  const mapping = await scimWorkspaceRows.insert(db, {
    organisationId,
    workspaceId,
    role: 'member',
    scimGroupId: group.id,
  })
  const key = await findApiKeyByPublicId(db, describeKey(tenant.second.serviceKey).publicId)
  if (key === undefined) throw new Error('the tenant has no such key')
  const session = await sessionRows.insert(db, {
    organisationId: tenant.organisationId,
    apiKeyId: key.record.id,
    tokenHash: crypto.randomUUID(),
    endsAt: new Date(Date.now() + 3_600_000),
  })
  return {
    references: [
      workspaceId,
      integration.id,
      integration.slug,
      secretReference.id,
      secretReference.slug,
      provider.id,
      provider.slug,
      config.object.id,
      config.object.slug,
      config.version.id,
      ...guardrails.flatMap(({ object, version }) => [object.id, object.slug, version.id]),
      policy.id,
      usagePolicy.id,
      webhook.id,
      user.id,
      group.id,
      mapping.id,
      collection.id,
      collection.slug,
      partial.id,
      partial.slug,
      prompt.id,
      prompt.slug,
      version.id,
      deployment.id,
      deployment.slug,
      userId,
      email,
      invited.invite.id,
      label.id,
      label.name,
      key.record.id,
      session.id,
      `@${provider.slug}/foreign-model`,
      crypto.randomUUID(),
      'no-such-thing',
    ],
  }
}
