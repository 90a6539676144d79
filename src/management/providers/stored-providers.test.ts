import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  InvalidRequest,
  SecretUnavailable,
  StoredProviderExhausted,
  StoredProviderExpired,
} from '../../errors/gateway-error.ts'
import type { StoredProvider } from '../../kit/plugin.ts'
import type { FoundSecret, SecretReferences } from '../../secret-managers/secret-references.ts'
import { openSecretBox } from '../../secrets/secret-box.ts'
import { readStoredProviders } from '../../store/memory/stored-providers.ts'
import { putIntegrationWorkspaces } from '../../store/objects/integration-workspaces.ts'
import { providerRows } from '../../store/objects/providers.ts'
import { integrations } from '../../store/schema/integrations.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { integrationsRoutes } from '../integrations/routes.ts'
import { createFixture, type Fixture, MASTER_KEY, NOW_MS } from '../integrations/test-support.ts'
import { providersRoutes } from './routes.ts'
import { createStoredProviders } from './stored-providers.ts'

describeOnBothStores('stored providers', (store) => {
  let our: Fixture
  beforeAll(async () => {
    our = await createFixture(store(), (deps) => [...integrationsRoutes(deps), ...providersRoutes(deps)])
  })
  const KEY = 'sk-0123456789abcdefghijklmnopqrstuvwxyz'

  /** What secret references give. */
  let elsewhere: (reference: string) => ReturnType<SecretReferences['get']> = () => {
    throw new Error('there are none')
  }

  /** The targets as they are stored now, and how often a secret was opened. */
  const read = async (secretBox = our.secretBox, now = () => NOW_MS) => {
    const stored = await readStoredProviders(store().db)
    let opened = 0
    const targets = createStoredProviders({
      snapshot: {
        find: (workspaceId, slug) => stored.get(workspaceId)?.get(slug),
        list: (workspaceId) => [...(stored.get(workspaceId)?.values() ?? [])],
      },
      secretBox: {
        open: (...given) => {
          opened++
          return secretBox.open(...given)
        },
      },
      references: { get: (_organisation, _workspace, reference) => elsewhere(reference) },
      running: () => ({ providers: our.deps.providers(), checkCustomHost: our.deps.checkCustomHost }),
      now,
    })
    return { ...targets, opened: () => opened }
  }
  const target = async (slug: string): Promise<StoredProvider> => {
    const found = (await read()).find(our.blue, slug)
    if (found === undefined) throw new Error(`no target ${slug}`)
    return found
  }
  const thrownBy = (work: () => unknown): unknown => {
    try {
      return work()
    } catch (thrown) {
      return thrown
    }
  }
  const make = async (body: Record<string, unknown>): Promise<string> => {
    const whole = { name: 'Main', ai_provider_id: 'openai', key: KEY, ...body }
    const { status, body: answer } = await our.call('blue', 'POST', '/integrations', whole)
    expect(status).toBe(200)
    return String(answer.slug)
  }

  test('hold the key, settings, headers and host of a call', async () => {
    const slug = await make({
      configurations: {
        openai_organization: 'org-1',
        custom_host: 'https://proxy.example/v1',
        custom_headers: { 'X-Team': 'blue' },
      },
    })
    const found = await target(slug)
    expect(found).toMatchObject({ slug, providerId: 'openai', apiKey: KEY })
    const settings = {
      settings: {},
      headers: { 'openai-organization': 'org-1', 'X-Team': 'blue' },
      customHost: 'https://proxy.example/v1',
    }
    expect(found.forModel('gpt-4o')).toEqual(settings)
    expect(found.forModel(undefined)).toEqual(settings)
    const other = await make({ ai_provider_id: 'anthropic', configurations: { anthropic_version: '2023-06-01' } })
    expect((await target(other)).forModel('claude')).toEqual({
      settings: { anthropic_version: '2023-06-01' },
      headers: {},
    })
    expect((await target(await make({ key: undefined }))).apiKey).toBe('')
  })

  test('find the Azure deployment of a model: by alias, by model, else the default', async () => {
    const deployment = (name: string, model: string, extra: object = {}) => ({
      azure_api_version: `${name}-version`,
      azure_deployment_name: name,
      azure_model_slug: model,
      ...extra,
    })
    const configurations = (deployments: unknown[]) => ({
      ai_provider_id: 'azure-openai',
      configurations: {
        azure_auth_mode: 'default',
        azure_resource_name: 'acme',
        azure_deployment_config: deployments,
      },
    })
    const plain = [deployment('d-1', 'gpt-4o', { alias: 'smart' }), deployment('d-2', 'smart')]
    const strict = await target(await make(configurations(plain)))
    const expected = (name: string, model: string) => ({
      settings: {
        resource_name: 'acme',
        deployment_id: name,
        api_version: `${name}-version`,
        azure_model_name: model,
      },
      headers: {},
    })
    expect(strict.forModel('smart')).toEqual(expected('d-1', 'gpt-4o'))
    expect(strict.forModel('gpt-4o')).toEqual(expected('d-1', 'gpt-4o'))
    expect(thrownBy(() => strict.forModel('other'))).toBeInstanceOf(InvalidRequest)
    expect(strict.forModel(undefined).settings).toEqual({ resource_name: 'acme', api_version: 'd-1-version' })
    const withDefault = [...plain, deployment('d-3', 'gpt-5', { is_default: true })]
    const lenient = await target(await make(configurations(withDefault)))
    expect(lenient.forModel('other')).toEqual(expected('d-3', 'gpt-5'))
    const managed = configurations(plain)
    const login = { ...managed, configurations: { ...managed.configurations, azure_auth_mode: 'managed' } }
    const able = await target(await make(login))
    expect(able.forModel('smart').settings).toEqual({
      ...expected('d-1', 'gpt-4o').settings,
      azure_auth_mode: 'managed',
    })
    const entra = { azure_entra_tenant_id: 't', azure_entra_client_id: 'c', azure_entra_client_secret: 's' }
    const application = {
      ...managed,
      configurations: { ...managed.configurations, ...entra, azure_auth_mode: 'entra', azure_managed_client_id: 'm' },
    }
    expect((await target(await make(application))).forModel(undefined).settings).toEqual({
      ...entra,
      azure_auth_mode: 'entra',
      resource_name: 'acme',
      api_version: 'd-1-version',
    })
  })

  test('know a model by all names that a provider takes for it', async () => {
    const deployment = (name: string, model: string, alias?: string) => ({
      azure_api_version: '2024-10-21',
      azure_deployment_name: name,
      azure_model_slug: model,
      ...(alias === undefined ? {} : { alias }),
    })
    const slug = await make({
      ai_provider_id: 'azure-openai',
      configurations: {
        azure_auth_mode: 'default',
        azure_resource_name: 'acme',
        azure_deployment_config: [deployment('prod-4', 'gpt-4o', 'smart'), deployment('prod-5', 'gpt-5')],
      },
    })
    const models = ['gpt-4o', 'gpt-5', 'gemini-pro'].map((name) => ({ slug: name, enabled: name === 'gpt-5' }))
    await our.call('blue', 'PUT', `/integrations/${slug}/models`, { models })
    const found = await target(slug)
    const refused = ['gpt-4o', 'smart', 'prod-4', 'PROD-4', 'gemini-pro', 'models/gemini-pro']
    expect(refused.map((name) => [name, found.allows(name)])).toEqual(refused.map((name) => [name, false]))
    expect(['gpt-5', 'prod-5', 'other'].map((name) => found.allows(name))).toEqual([true, true, true])
    expect(found.forModel('Prod-5').settings).toMatchObject({ deployment_id: 'prod-5', azure_model_name: 'gpt-5' })
  })

  test('know which models are allowed, and what is particular about one', async () => {
    const slug = await make({ configurations: { custom_headers: { a: '1', b: '1' } } })
    const put = (body: unknown) => our.call('blue', 'PUT', `/integrations/${slug}/models`, body)
    const configurations = { custom_host: 'https://own.example', custom_headers: { b: '2' } }
    await put({
      models: [
        { slug: 'yes', enabled: true, configurations },
        { slug: 'no', enabled: false },
      ],
    })
    const open = await target(slug)
    expect(['yes', 'no', 'other'].map((model) => open.allows(model))).toEqual([true, false, true])
    // A host that came with a model gets neither the key nor the headers of the integration.
    expect(open.forModel('yes')).toEqual({
      settings: {},
      headers: { b: '2' },
      customHost: 'https://own.example',
      withoutKey: true,
    })
    expect(open.forModel('other').headers).toEqual({ a: '1', b: '1' })
    await put({ models: [], allow_all_models: false })
    const closed = await target(slug)
    expect(['yes', 'no', 'other'].map((model) => closed.allows(model))).toEqual([true, false, false])
  })

  test('are not found for others, without a grant, or when the integration is archived', async () => {
    const slug = await make({})
    const found = async (workspaceId: string) => (await read()).find(workspaceId, slug)
    expect(await found(our.red)).toBeUndefined()
    expect(await found(our.blue)).toBeDefined()
    await store().db.update(integrations).set({ status: 'archived' }).where(eq(integrations.slug, slug))
    expect(await found(our.blue)).toBeUndefined()
    expect((await read()).find(our.blue, 'none')).toBeUndefined()

    await our.call('admin', 'POST', '/integrations', { name: 'x', ai_provider_id: 'openai', slug: 'shared' })
    const access = (enabled: boolean) =>
      our.call('admin', 'PUT', '/integrations/shared/workspaces', { workspaces: [{ id: our.red, enabled }] })
    await access(true)
    expect((await read()).find(our.red, 'shared')).toBeDefined()
    await access(false)
    expect((await read()).find(our.red, 'shared')).toBeUndefined()
  })

  test('carry their own budget, and that of the workspace at their integration', async () => {
    const slug = await make({})
    const record = async () => (await readStoredProviders(store().db)).get(our.blue)?.get(slug)
    const { id = '', integration: { id: integrationId = '' } = {} } = (await record()) ?? {}
    expect(await target(slug)).not.toHaveProperty('budgets')
    await providerRows.update(store().db, { id, usageLimits: { type: 'cost', creditLimit: 5 } })
    const granted = [{ type: 'tokens' as const, creditLimit: 700 }]
    const grants = [{ workspaceId: our.blue, enabled: true, usageLimits: granted }]
    await putIntegrationWorkspaces(store().db, { integrationId, grants })
    expect((await target(slug)).budgets).toMatchObject([
      { owner: 'virtual_key', id, budgets: [{ type: 'cost', limit: 5 }] },
      { owner: 'integration', id: integrationId, budgets: [{ type: 'tokens', limit: 700 }] },
    ])
  })

  test('that are spent say so', async () => {
    const slug = await make({})
    const { body } = await our.call('blue', 'GET', `/providers/${slug}`)
    const id = String(body.id)
    await providerRows.update(store().db, { id, expiresAt: new Date(NOW_MS + 1) })
    let nowMs = NOW_MS
    const targets = await read(our.secretBox, () => nowMs)
    expect(targets.find(our.blue, slug)).toBeDefined()
    nowMs += 1
    const expired = thrownBy(() => targets.find(our.blue, slug))
    expect(expired).toBeInstanceOf(StoredProviderExpired)
    expect(expired).toMatchObject({ status: 401, row: { type: 'virtual_key_expired_error' } })
    await providerRows.update(store().db, { id, expiresAt: null, status: 'exhausted' })
    const spent = await read()
    expect(thrownBy(() => spent.find(our.blue, slug))).toBeInstanceOf(StoredProviderExhausted)
  })

  test('take values from elsewhere: at once where they are at hand, and anew when they have changed', async () => {
    const from = (target_field: string, more: object = {}) => ({
      target_field,
      secret_reference_id: 'vault-openai',
      ...more,
    })
    const slug = await make({
      key: undefined,
      configurations: { openai_project: 'stored' },
      secret_mappings: [
        from('key', { secret_key: 'key' }),
        from('configurations.openai_organization', { secret_key: 'org' }),
        from('configurations.custom_headers', { secret_key: 'headers' }),
      ],
    })
    const secretOf = (key: string): FoundSecret => ({
      slug: 'vault-openai',
      secretKey: null,
      secret: { text: JSON.stringify({ key, org: 7, headers: { 'x-team': 'blue' } }) },
    })
    let found: FoundSecret | Promise<FoundSecret> = Promise.resolve(secretOf('sk-first'))
    const asked: string[] = []
    elsewhere = (reference) => {
      asked.push(reference)
      return found
    }
    const targets = await read()
    const first = await targets.find(our.blue, slug)
    expect(first?.apiKey).toBe('sk-first')
    expect(first?.forModel('gpt-5').headers).toEqual({
      'openai-project': 'stored',
      'openai-organization': '7',
      'x-team': 'blue',
    })
    // All mappings of one reference ask once.
    expect(asked).toEqual(['vault-openai'])
    found = await found
    expect(targets.find(our.blue, slug)).toBe(first)
    found = secretOf('sk-second')
    expect(targets.find(our.blue, slug)).toMatchObject({ apiKey: 'sk-second' })
    elsewhere = () => {
      throw new SecretUnavailable('The secret reference is away.')
    }
    expect(thrownBy(() => targets.find(our.blue, slug))).toMatchObject({
      code: 'secret_unavailable',
      status: 503,
      options: { param: `@${slug}` },
    })
    // One that fails later than another, and one that fails while a call goes on with nothing: nobody is left without an answer.
    const late = Promise.reject(new SecretUnavailable('The secret reference is away.'))
    elsewhere = () => late
    expect(await Promise.resolve(targets.find(our.blue, slug)).catch((thrown: unknown) => thrown)).toMatchObject({
      options: { param: `@${slug}` },
    })
    elsewhere = () => {
      throw new SecretUnavailable('The secret reference is away.')
    }
    const gone = await read()
    expect(thrownBy(() => gone.find(our.blue, slug))).toMatchObject({ options: { param: `@${slug}` } })
  })

  test('open their secrets once for each version, and at once when the data key is known', async () => {
    const slug = await make({})
    // A box that is opened later has read the data keys.
    const targets = await read(await openSecretBox(store().db, { current: MASTER_KEY }))
    const first = targets.find(our.blue, slug)
    expect(first).not.toBeInstanceOf(Promise)
    expect(targets.find(our.blue, slug)).toBe(first)
    expect(targets.opened()).toBe(1)
  })

  test('do not open a secret that was copied from another integration', async () => {
    const [one, two] = [await make({ key: 'first-key-0123456789' }), await make({ key: 'second-key-0123456789' })]
    const { db } = store()
    const [source] = await db.select().from(integrations).where(eq(integrations.slug, one))
    await db
      .update(integrations)
      .set({ secrets: source?.secrets ?? {} })
      .where(eq(integrations.slug, two))
    const targets = await read()
    const opening = (async () => targets.find(our.blue, two))()
    await expect(opening).rejects.toThrow('cannot be read')
  })
})
