import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { integrationRows } from '../../store/objects/integrations.ts'
import { putAllowedWorkspaces, secretReferenceRows } from '../../store/objects/secret-references.ts'
import { createOrganisation } from '../../store/objects/tenancy.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { providersRoutes } from '../providers/routes.ts'
import { integrationsRoutes } from './routes.ts'
import { createFixture, errorOf, type Fixture } from './test-support.ts'

const KEY = 'sk-canary-0123456789abcdefghijklmnopqrstuv'
const NEW = { name: 'OpenAI main', ai_provider_id: 'openai', key: KEY }
const AZURE = {
  azure_auth_mode: 'default',
  azure_resource_name: 'acme',
  azure_deployment_config: [
    { azure_api_version: '2024-10-21', azure_deployment_name: 'd-1', azure_model_slug: 'gpt-4o', alias: 'smart' },
  ],
}

describeOnBothStores('integrations', (store) => {
  let our: Fixture
  beforeAll(async () => {
    our = await createFixture(store(), (deps) => [...integrationsRoutes(deps), ...providersRoutes(deps)])
  })
  const make = async (changes: Record<string, unknown> = {}, token = 'admin'): Promise<string> => {
    const { status, body } = await our.call(token, 'POST', '/integrations', { ...NEW, ...changes })
    expect([status, typeof body.slug]).toEqual([200, 'string'])
    return String(body.slug)
  }
  const stored = (slug: string) =>
    integrationRows.find(store().db, { organisationId: our.organisationId, reference: slug })

  test('are filed under tags', async () => {
    const slug = await make({ tags: { team: 'blue', tier: 2, shared: true } })
    const tags = async () => (await our.call('admin', 'GET', `/integrations/${slug}`)).body.tags
    expect(await tags()).toEqual({ team: 'blue', tier: 2, shared: true })
    const list = (await our.call('admin', 'GET', '/integrations?page_size=1000')).body.data as { slug: string }[]
    expect(list.find((row) => row.slug === slug)).toMatchObject({ tags: { team: 'blue' } })
    await our.call('admin', 'PUT', `/integrations/${slug}`, { name: 'x' })
    expect(await tags()).toMatchObject({ team: 'blue' })
    await our.call('admin', 'PUT', `/integrations/${slug}`, { tags: { team: 'red' } })
    expect(await tags()).toEqual({ team: 'red' })
    await our.call('admin', 'PUT', `/integrations/${slug}`, { tags: null })
    expect(await tags()).toBeNull()
    const wrong = { tags: { team: ['a'] } }
    expect(errorOf(await our.call('admin', 'PUT', `/integrations/${slug}`, wrong))).toEqual([400, 'AB01', 'tags.team'])
  })

  test('are read as of the workspace that the call names', async () => {
    const slug = await make({ workspace_id: 'ws-red' })
    const read = (workspace: string) => our.call('admin', 'GET', `/integrations/${slug}?workspace_id=${workspace}`)
    expect((await read('ws-red')).status).toBe(200)
    expect(errorOf(await read('ws-default'))).toEqual([404, 'AB08', null])
  })

  test('of a provider that is not there are refused, with those that are', async () => {
    const refusal = async (id: string): Promise<string> => {
      const answer = await our.call('admin', 'POST', '/integrations', { ...NEW, ai_provider_id: id })
      expect(errorOf(answer)).toEqual([400, 'AB01', 'ai_provider_id'])
      return JSON.stringify(answer.body)
    }
    const list = 'running are: openai, azure-openai, anthropic, bedrock, vertex-ai'
    expect(await refusal('cortex')).toContain(`names cortex, which this version cannot call yet; ${list}`)
    expect(await refusal('opanai')).toContain(`did you mean 'openai'? ${list}`)
    expect(await refusal('something-else')).toContain(`is not the id of a running provider; ${list}`)
  })

  test('are made, shown masked, changed and deleted', async () => {
    const slug = await make({
      slug: 'life',
      description: 'first',
      configurations: { openai_organization: 'org-1', custom_headers: { 'X-Team': 'blue-secret-header-value' } },
      pricing_adjustments: { multiplier: { default: 0.8, image: { default: 2 }, additional_units: { search: 1 } } },
    })
    expect(slug).toBe('life')
    const shown = await our.call('admin', 'GET', '/integrations/life')
    expect(shown).toMatchObject({
      status: 200,
      body: {
        organisation_id: our.organisationId,
        workspace_id: null,
        ai_provider_id: 'openai',
        status: 'active',
        description: 'first',
        object: 'integration',
        masked_key: 'sk-*****tuv',
        configurations: { openai_organization: 'org-1', masked_custom_headers: 'X-Team' },
        allow_all_models: true,
        workspace_count: 0,
        secret_mappings: [],
        pricing_adjustments: { multiplier: { default: 0.8 } },
      },
    })
    expect((await our.call('admin', 'GET', `/integrations/${shown.body.id}`)).body).toEqual(shown.body)

    const change = { name: 'renamed', key: `${KEY}-2`, configurations: { openai_project: 'p', custom_headers: null } }
    expect(await our.call('admin', 'PUT', '/integrations/life', change)).toEqual({ status: 200, body: {} })
    expect((await our.call('admin', 'GET', '/integrations/life')).body).toMatchObject({
      name: 'renamed',
      description: 'first',
      masked_key: 'sk-*****v-2',
      configurations: { openai_organization: 'org-1', openai_project: 'p' },
    })
    const row = await stored('life')
    expect(Object.keys(row?.secrets ?? {})).toEqual(['key'])
    const opened = our.secretBox.open(our.organisationId, row?.id ?? '', 'key', row?.secrets.key ?? '')
    expect(await opened).toBe(`${KEY}-2`)

    expect(await our.call('admin', 'DELETE', '/integrations/life')).toEqual({ status: 200, body: {} })
    expect(errorOf(await our.call('admin', 'GET', '/integrations/life'))).toEqual([404, 'AB08', null])
    const audit = await our.audit()
    expect(audit.slice(0, 3).map(({ action }) => action)).toEqual([
      'organisation_integrations.delete',
      'organisation_integrations.update',
      'organisation_integrations.create',
    ])
    expect(audit[1]).toMatchObject({ before: { masked_key: 'sk-*****tuv' }, after: { masked_key: 'sk-*****v-2' } })
  })

  test('of a workspace come with a provider of their own slug', async () => {
    const slug = await make({ slug: 'with-provider' }, 'blue')
    const list = await our.call('blue', 'GET', '/providers')
    expect(list.body.data).toContainEqual(
      expect.objectContaining({ slug, integration_id: slug, workspace_id: our.blue }),
    )
    const taken = { ...NEW, slug: 'second', default_provider_slug: 'with-provider' }
    expect(errorOf(await our.call('blue', 'POST', '/integrations', taken))).toEqual([
      400,
      'AB01',
      'default_provider_slug',
    ])
    expect(await stored('second')).toBeUndefined()
    await make({ slug: 'third', create_default_provider: false }, 'blue')
    expect(errorOf(await our.call('blue', 'GET', '/providers/third'))).toEqual([404, 'AB08', null])
    expect((await our.call('blue', 'DELETE', `/integrations/${slug}`)).status).toBe(200)
    expect(errorOf(await our.call('blue', 'GET', `/providers/${slug}`))).toEqual([404, 'AB08', null])
  })

  test('are listed by page and by whose they are', async () => {
    const organisation = await make({ slug: 'list-organisation' })
    const red = await make({ slug: 'list-red', workspace_id: 'ws-red' })
    const blue = await make({ slug: 'list-blue' }, 'blue')
    const slugs = async (token: string, query = '') => {
      const { body } = await our.call(token, 'GET', `/integrations${query}`)
      const data = body.data as { slug: string }[]
      return data.map(({ slug }) => slug).filter((slug) => slug.startsWith('list-'))
    }
    expect(await slugs('admin')).toEqual([organisation, red, blue])
    expect(await slugs('admin', '?type=workspace')).toEqual([red, blue])
    expect(await slugs('admin', '?workspace_id=ws-red')).toEqual([red])
    expect(await slugs('blue')).toEqual([blue])
    expect(await slugs('blue:organisation_integrations.list')).toEqual([])
    await our.call('admin', 'PUT', `/integrations/${organisation}/workspaces`, {
      workspaces: [{ id: our.blue, enabled: true }],
    })
    expect(await slugs('blue')).toEqual([organisation, blue])
    expect(await slugs('blue:organisation_integrations.list')).toEqual([organisation])
    expect(await slugs('blue:workspace_integrations.list')).toEqual([blue])
    const page = await our.call('admin', 'GET', '/integrations?page_size=1&current_page=1')
    expect(page.body.object).toBe('list')
    expect(page.body.data).toHaveLength(1)
    expect(page.body.total).toBeGreaterThanOrEqual(3)
  })

  test('of others are out of reach', async () => {
    await make({ slug: 'reach-organisation' })
    await make({ slug: 'reach-red' }, 'red')
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      for (const slug of ['reach-organisation', 'reach-red']) {
        expect(errorOf(await our.call('blue', method, `/integrations/${slug}`, body))).toEqual([404, 'AB08', null])
        expect(errorOf(await our.call('stranger', method, `/integrations/${slug}`, body))).toEqual([404, 'AB08', null])
      }
    }
    await our.call('admin', 'PUT', '/integrations/reach-organisation/workspaces', {
      workspaces: [{ id: 'ws-default', enabled: true }],
    })
    expect(errorOf(await our.call('blue', 'PUT', '/integrations/reach-organisation', { name: 'x' }))).toEqual([
      403,
      'AB03',
      null,
    ])
    expect(errorOf(await our.call('blue', 'POST', '/integrations', { ...NEW, workspace_id: 'ws-red' }))).toEqual([
      403,
      'AB03',
      'workspace_id',
    ])
    const scoped = 'admin:workspace_integrations.create'
    expect(errorOf(await our.call(scoped, 'POST', '/integrations', NEW))).toEqual([403, 'AB03', null])
    expect((await our.call(scoped, 'POST', '/integrations', { ...NEW, workspace_id: 'ws-red' })).status).toBe(200)
  })

  test('do not let their key be sent to another host by who may not read it', async () => {
    const { body } = await our.call('admin', 'POST', '/integrations', { ...NEW, slug: 'kept' })
    expect(body).toMatchObject({ slug: 'kept' })
    const moved = { configurations: { custom_host: 'https://other.example/v1' } }
    expect(errorOf(await our.call('admin', 'PUT', '/integrations/kept', moved))).toEqual([400, 'AB01', 'key'])
    const whole = { ...moved, key: 'sk-another-0123456789abcdef' }
    expect((await our.call('admin', 'PUT', '/integrations/kept', whole)).status).toBe(200)
    expect((await our.call('admin', 'PUT', '/integrations/kept', { ...moved, name: 'renamed' })).status).toBe(200)
  })

  test('do not let the tokens of their other secrets be sent to another host either', async () => {
    const secret = { azure_entra_client_secret: 'entra-secret-0123456789' }
    const entra = { azure_auth_mode: 'entra', azure_entra_tenant_id: 't', azure_entra_client_id: 'c' }
    const made = await our.call('admin', 'POST', '/integrations', {
      name: 'Azure',
      slug: 'entra',
      ai_provider_id: 'azure-openai',
      configurations: { ...AZURE, ...entra, ...secret },
    })
    expect(made.status).toBe(200)
    const change = (configurations: object) => our.call('admin', 'PUT', '/integrations/entra', { configurations })
    for (const moved of [{ azure_resource_name: 'elsewhere' }, { custom_host: 'https://other.example' }]) {
      const refused = [400, 'AB01', 'configurations.azure_entra_client_secret']
      expect(errorOf(await change({ ...AZURE, ...entra, ...moved }))).toEqual(refused)
      expect((await change({ ...AZURE, ...entra, ...secret, ...moved })).status).toBe(200)
    }
    expect((await change({ ...AZURE, azure_auth_mode: 'default', azure_entra_client_secret: null })).status).toBe(200)
  })

  test('with a slug that is taken are refused, also when two come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => our.call('admin', 'POST', '/integrations', { ...NEW, slug: 'taken' })),
    )
    expect(answers.map(errorOf).sort()).toEqual([
      [200, undefined, undefined],
      ...Array.from({ length: 3 }, () => [409, 'AB07', 'slug']),
    ])
  })

  describe('refuse', () => {
    const mapping = { target_field: 'key', secret_reference_id: 'vault-openai' }
    test.each<[string, Record<string, unknown>, unknown[]]>([
      ['an unknown field', { nmae: 'x' }, [400, 'AB01', 'nmae']],
      ['a name that is too long', { name: 'x'.repeat(256) }, [400, 'AB01', 'name']],
      ['an empty name', { name: '' }, [400, 'AB01', 'name']],
      ['a provider that does not run', { ai_provider_id: 'opnai' }, [400, 'AB01', 'ai_provider_id']],
      ['a slug with a slash', { slug: 'a/b' }, [400, 'AB01', 'slug']],
      ['a workspace that is not there', { workspace_id: 'ws-none' }, [404, 'AB02', 'workspace_id']],
      ['a default slug without a workspace', { default_provider_slug: 'x' }, [400, 'AB01', 'default_provider_slug']],
      [
        'an unknown configuration',
        { configurations: { azure_resource_name: 'x' } },
        [400, 'AB01', 'configurations.azure_resource_name'],
      ],
      [
        'an unknown configuration that is null',
        { configurations: { nothing: null } },
        [400, 'AB01', 'configurations.nothing'],
      ],
      [
        'a configuration of the wrong type',
        { configurations: { openai_project: 5 } },
        [400, 'AB01', 'configurations.openai_project'],
      ],
      [
        'a private host',
        { configurations: { custom_host: 'http://private/v1' } },
        [400, 'AB01', 'configurations.custom_host'],
      ],
      [
        'a header of the gateway',
        { configurations: { custom_headers: { Host: 'x' } } },
        [400, 'AB01', 'configurations.custom_headers.Host'],
      ],
      [
        'a header with a line break',
        { configurations: { custom_headers: { a: 'x\r\ny' } } },
        [400, 'AB01', 'configurations.custom_headers.a'],
      ],
      [
        'a secret that is not there',
        { secret_mappings: [{ ...mapping, secret_reference_id: 'none' }] },
        [404, 'AB02', 'secret_mappings[0].secret_reference_id'],
      ],
      [
        'a field that is mapped twice',
        { secret_mappings: [mapping, mapping] },
        [400, 'AB01', 'secret_mappings[1].target_field'],
      ],
      [
        'a mapping of no field',
        { secret_mappings: [{ ...mapping, target_field: 'configurations.none' }] },
        [400, 'AB01', 'secret_mappings[0].target_field'],
      ],
      [
        'a price below nothing',
        { pricing_adjustments: { multiplier: { default: -1 } } },
        [400, 'AB01', 'pricing_adjustments.multiplier.default'],
      ],
      [
        'a price of nothing known',
        { pricing_adjustments: { multiplier: { tokens: 1 } } },
        [400, 'AB01', 'pricing_adjustments.multiplier.tokens'],
      ],
      [
        'Azure without a resource',
        { ai_provider_id: 'azure-openai', configurations: { ...AZURE, azure_resource_name: null } },
        [400, 'AB01', 'configurations.azure_resource_name'],
      ],
      [
        'Azure without a deployment',
        { ai_provider_id: 'azure-openai', configurations: { ...AZURE, azure_deployment_config: [] } },
        [400, 'AB01', 'configurations.azure_deployment_config'],
      ],
      [
        'Azure with a host for a resource',
        { ai_provider_id: 'azure-openai', configurations: { ...AZURE, azure_resource_name: 'evil.example/' } },
        [400, 'AB01', 'configurations.azure_resource_name'],
      ],
      [
        'Entra without its fields',
        { ai_provider_id: 'azure-openai', configurations: { ...AZURE, azure_auth_mode: 'entra' } },
        [400, 'AB01', 'configurations.azure_entra_tenant_id'],
      ],
      [
        'Bedrock without a region',
        { ai_provider_id: 'bedrock', configurations: { aws_auth_type: 'accessKey' } },
        [400, 'AB01', 'configurations.aws_region'],
      ],
      [
        'Vertex without its project',
        { ai_provider_id: 'vertex-ai', configurations: { vertex_auth_type: 'basic', vertex_region: 'x' } },
        [400, 'AB01', 'configurations.vertex_project_id'],
      ],
    ])('%s', async (_title, changes, expected) => {
      const body = { ...NEW, slug: 'refused', ...changes }
      expect(errorOf(await our.call('admin', 'POST', '/integrations', body))).toEqual(expected)
      expect(await stored('refused')).toBeUndefined()
    })

    test('a prototype, a body that is no object, a change of nothing', async () => {
      const body = '{"name": "x", "ai_provider_id": "openai", "configurations": {"__proto__": {"custom_host": "x"}}}'
      expect(errorOf(await our.call('admin', 'POST', '/integrations', body))).toEqual([
        400,
        'AB01',
        'configurations.__proto__',
      ])
      expect(errorOf(await our.call('admin', 'POST', '/integrations', '[]'))[0]).toBe(400)
      const slug = await make()
      expect(errorOf(await our.call('admin', 'PUT', `/integrations/${slug}`, {}))).toEqual([400, 'AB01', null])
    })

    test('an alias that stands for two deployments, and two defaults', async () => {
      const [one] = AZURE.azure_deployment_config
      const twice = (changes: object) => ({
        ...NEW,
        ai_provider_id: 'azure-openai',
        configurations: {
          ...AZURE,
          azure_deployment_config: [
            { ...one, ...changes },
            { ...one, ...changes },
          ],
        },
      })
      expect(errorOf(await our.call('admin', 'POST', '/integrations', twice({})))).toEqual([
        400,
        'AB01',
        'configurations.azure_deployment_config[1].alias',
      ])
      const defaults = twice({ alias: undefined, is_default: true })
      expect(errorOf(await our.call('admin', 'POST', '/integrations', defaults))).toEqual([
        400,
        'AB01',
        'configurations.azure_deployment_config[1].is_default',
      ])
    })
  })

  test('take secrets from elsewhere instead of the body', async () => {
    const mappings = [
      { target_field: 'key', secret_reference_id: 'vault-openai', secret_key: 'k' },
      { target_field: 'configurations.azure_resource_name', secret_reference_id: 'vault-openai' },
    ]
    const configurations = { ...AZURE, azure_resource_name: null }
    const slug = await make({
      ai_provider_id: 'azure-openai',
      key: undefined,
      configurations,
      secret_mappings: mappings,
    })
    expect((await our.call('admin', 'GET', `/integrations/${slug}`)).body).toMatchObject({
      masked_key: null,
      secret_mappings: mappings,
    })
    const bare = { secret_mappings: [] }
    expect(errorOf(await our.call('admin', 'PUT', `/integrations/${slug}`, bare))).toEqual([
      400,
      'AB01',
      'configurations.azure_resource_name',
    ])
  })

  test('take none from a reference of another organisation, nor from one that their workspace may not use', async () => {
    const { db } = store()
    const common = { name: 'n', managerType: 'environment' as const, secretPath: 'ANY', createdBy: 'any' }
    const { id: theirs } = await createOrganisation(db, { name: 'others' })
    const foreign = await secretReferenceRows.insert(db, { ...common, organisationId: theirs, slug: 'foreign' })
    const ours = { ...common, organisationId: our.organisationId, slug: 'of-red', allowAllWorkspaces: false }
    const ofRed = await secretReferenceRows.insert(db, ours)
    await putAllowedWorkspaces(db, ofRed.id, [our.red])
    const mapped = (secret_reference_id: string) => ({
      ...{ name: 'Mapped', ai_provider_id: 'openai' },
      secret_mappings: [{ target_field: 'key', secret_reference_id }],
    })
    const unknown = [404, 'AB02', 'secret_mappings[0].secret_reference_id']
    for (const reference of ['foreign', foreign.id]) {
      expect(errorOf(await our.call('admin', 'POST', '/integrations', mapped(reference)))).toEqual(unknown)
    }
    expect(errorOf(await our.call('blue', 'POST', '/integrations', mapped('of-red')))).toEqual(unknown)
    expect((await our.call('red', 'POST', '/integrations', mapped('of-red'))).status).toBe(200)
    // That of the organisation may be used by many: each call is asked about its own workspace.
    expect((await our.call('admin', 'POST', '/integrations', mapped(ofRed.id))).status).toBe(200)
  })

  test('keep no secret in clear: not in the database, not in the audit log', async () => {
    const secret = 'canary-5e3f-secret-of-aws-0123456789'
    await make({
      key: secret,
      ai_provider_id: 'bedrock',
      configurations: {
        aws_auth_type: 'accessKey',
        aws_region: 'eu-west-1',
        aws_access_key_id: `${secret}-id`,
        aws_secret_access_key: `${secret}-key`,
        custom_headers: { authorization: secret },
      },
    })
    for (const table of ['integrations', 'audit_log']) {
      const rows = await store()
        .db.select({ text: sql<string>`row_to_json(t)::text` })
        .from(sql`${sql.identifier(table)} as t`)
      expect(rows.some(({ text }) => text.includes('bedrock'))).toBe(true)
      expect(rows.filter(({ text }) => text.includes(secret))).toEqual([])
    }
  })
})
