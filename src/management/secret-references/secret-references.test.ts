import { beforeAll, describe, expect, test } from 'bun:test'
import type { SecretsConfig } from '../../config/secrets.ts'
import { findAllowedWorkspaces, secretReferenceRows } from '../../store/objects/secret-references.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import type { Store } from '../../store/types.ts'
import { createFixture, errorOf, type Fixture } from '../integrations/test-support.ts'
import { secretReferencesRoutes } from './routes.ts'
import { sealedAuthField } from './service.ts'

const VAULT = { vault_auth_type: 'token', vault_addr: 'https://vault.example.com', vault_token: 'hvs.0123456789abcdef' }
const REFERENCE = { name: 'OpenAI', manager_type: 'hashicorp_vault', auth_config: VAULT, secret_path: 'secret/openai' }

describeOnBothStores('secret references', (store) => {
  let fixture: Fixture
  let settings: SecretsConfig = { environment: ['PROVIDER_*', 'ONE'], folders: ['/run/secrets'], machineLogin: true }
  const trusted = 'http://vault.trusted:8200'
  const open = (over: Store): Promise<Fixture> =>
    createFixture(over, (deps) =>
      secretReferencesRoutes({ ...deps, secretMeans: () => ({ settings, trusts: (url) => url === trusted }) }),
    )
  beforeAll(async () => {
    fixture = await open(store())
  }, SLOW_START_MS)

  const call = (method: string, path: string, body?: unknown, token = 'admin') =>
    fixture.call(token, method, `/secret-references${path}`, body)
  const create = async (changes: object = {}): Promise<string> => {
    const { status, body } = await call('POST', '', { ...REFERENCE, ...changes })
    expect([status, body.object]).toEqual([200, 'secret-reference'])
    return String(body.slug)
  }
  const param = async (changes: object): Promise<unknown[]> =>
    errorOf(await call('POST', '', { ...REFERENCE, ...changes }))
  const refused = (field: string) => [400, 'AB01', field]

  test('secrets of the login are sealed, shown masked, and kept by a change that does not give them anew', async () => {
    const slug = await create({ tags: { team: 'blue' } })
    const stored = await secretReferenceRows.find(store().db, {
      organisationId: fixture.organisationId,
      reference: slug,
    })
    if (stored === undefined) throw new Error('it was not stored')
    const opened = () =>
      fixture.secretBox.open(
        stored.organisationId,
        stored.id,
        sealedAuthField('vault_token'),
        stored.secrets.vault_token ?? '',
      )
    expect(await opened()).toBe(VAULT.vault_token)
    const shown = (await call('GET', `/${slug}`)).body
    expect(shown.auth_config).toEqual({ ...VAULT, vault_token: 'hv*****ef' })
    // As it was shown: nothing of it is new.
    expect((await call('PUT', `/${slug}`, { auth_config: shown.auth_config })).body).toEqual({})
    await call('PUT', `/${slug}`, { auth_config: { vault_namespace: 'team' }, name: 'Renamed' })
    const after = (await call('GET', `/${stored.id}`)).body
    expect(after).toMatchObject({
      name: 'Renamed',
      auth_config: { ...VAULT, vault_token: 'hv*****ef', vault_namespace: 'team' },
    })
    expect((await call('PUT', `/${slug}`, { auth_config: { vault_namespace: null } })).status).toBe(200)
    expect((await call('GET', `/${slug}`)).body.auth_config).toEqual(shown.auth_config)
    const kubernetes = { vault_auth_type: 'kubernetes', vault_role: 'weir', vault_addr: trusted, vault_token: null }
    expect((await call('PUT', `/${slug}`, { auth_config: kubernetes })).status).toBe(200)
    expect((await call('GET', `/${slug}`)).body.auth_config).toEqual({
      vault_auth_type: 'kubernetes',
      vault_role: 'weir',
      vault_addr: trusted,
    })
    expect(JSON.stringify(await fixture.audit())).not.toContain(VAULT.vault_token)
  })

  test('a token is not sent to another vault than the one that it was given for', async () => {
    const slug = await create()
    const moved = { auth_config: { vault_addr: 'https://elsewhere.example.com' } }
    expect(errorOf(await call('PUT', `/${slug}`, moved))).toEqual(refused('auth_config.vault_token'))
    const whole = { auth_config: { ...moved.auth_config, vault_token: 'hvs.another-0123456789' } }
    expect((await call('PUT', `/${slug}`, whole)).status).toBe(200)
  })

  test('are found by the kind of manager, a part of their names, and tags, page by page', async () => {
    const names = async (query: string): Promise<unknown> => {
      const { body } = await call('GET', `?${query}`)
      return [body.total, (body.data as { slug: string }[]).map((row) => row.slug)]
    }
    for (const slug of ['list-a', 'list-b', 'list-c']) {
      await create({
        slug,
        manager_type: 'environment',
        secret_path: 'ONE',
        auth_config: {},
        tags: { list: slug, n: 1 },
      })
    }
    expect(await names('search=LIST-&page_size=2')).toEqual([3, ['list-a', 'list-b']])
    expect(await names('search=LIST-&page_size=2&current_page=1')).toEqual([3, ['list-c']])
    expect(await names(`manager_type=environment&tags=${encodeURIComponent('{"list":"list-b","n":1}')}`)).toEqual([
      1,
      ['list-b'],
    ])
    expect(await names('manager_type=azure_kv')).toEqual([0, []])
    const [row] = (await call('GET', '?search=list-a')).body.data as object[]
    expect(Object.keys(row ?? {})).toEqual([
      'id',
      'name',
      'slug',
      'manager_type',
      'status',
      'created_at',
      'last_updated_at',
      'object',
    ])
    for (const tags of ['blue', '[]', '{"a":{}}']) {
      expect(errorOf(await call('GET', `?tags=${encodeURIComponent(tags)}`))).toEqual(refused('tags'))
    }
  })

  test('are for all workspaces, or for those that are listed', async () => {
    const { blue, red } = fixture
    const slug = await create({ allowed_workspaces: [blue, 'ws-red', red] })
    const access = async () => {
      const { body } = await call('GET', `/${slug}`)
      return [body.allow_all_workspaces, body.allowed_workspaces]
    }
    expect(await access()).toEqual([false, [blue, red].toSorted()])
    await call('PUT', `/${slug}`, { allowed_workspaces: [red] })
    expect(await access()).toEqual([false, [red]])
    await call('PUT', `/${slug}`, { description: 'and nothing else' })
    expect(await access()).toEqual([false, [red]])
    const { id } = (await call('GET', `/${slug}`)).body as { id: string }
    await call('PUT', `/${slug}`, { allow_all_workspaces: true })
    expect([await access(), [...(await findAllowedWorkspaces(store().db, [id]))]]).toEqual([[true, []], []])
    await call('PUT', `/${slug}`, { allow_all_workspaces: false })
    expect(await access()).toEqual([false, []])
    const both = { allow_all_workspaces: true, allowed_workspaces: [red] }
    expect(errorOf(await call('PUT', `/${slug}`, both))).toEqual(refused('allowed_workspaces'))
    expect(await param(both)).toEqual(refused('allowed_workspaces'))
    expect(await param({ allowed_workspaces: [red, 'ws-none'] })).toEqual(refused('allowed_workspaces[1]'))
    expect(await param({ allowed_workspaces: [] })).toEqual(refused('allowed_workspaces'))
  })

  test('belong to the organisation: keys of workspaces and of others do not see them', async () => {
    const slug = await create()
    expect((await call('GET', `/${slug}`, undefined, 'blue')).status).toBe(403)
    expect(errorOf(await call('GET', `/${slug}`, undefined, 'stranger'))).toEqual([404, 'AB08', null])
    expect(errorOf(await call('DELETE', `/${slug}`, undefined, 'stranger'))).toEqual([404, 'AB08', null])
    expect((await call('GET', '', undefined, 'stranger')).body).toMatchObject({ total: 0 })
    expect((await call('GET', `/${slug}`, undefined, 'admin:secret_references.list')).status).toBe(403)
  })

  test('a change says something', async () => {
    const slug = await create()
    expect((await call('PUT', `/${slug}`, {})).status).toBe(400)
    expect(errorOf(await call('PUT', `/${slug}`, { manager_type: 'aws_sm' }))).toEqual(refused('manager_type'))
    expect(errorOf(await call('POST', '', { ...REFERENCE, slug }))).toEqual(refused('slug'))
  })

  describe('are refused', () => {
    const file = { manager_type: 'file', auth_config: {} }
    const variable = { manager_type: 'environment', auth_config: {} }
    const aws = { manager_type: 'aws_sm', auth_config: { aws_auth_type: 'serviceRole' } }
    const azure = {
      manager_type: 'azure_kv',
      auth_config: { azure_auth_mode: 'default', azure_vault_url: 'https://contoso.vault.azure.net' },
    }
    test.each([
      ...[
        'secret',
        'secret/../other',
        'secret/./a',
        'secret/a%2f..%2fb',
        'secret/a\0',
        'secret/a\\b',
        '/secret/a',
        'secret/a/',
      ],
      ...['secret/a?version=1', 'secret/a#b', `secret/${'a'.repeat(1024)}`, ''],
    ])('for the path %j of a vault', async (secret_path) => {
      expect(await param({ secret_path })).toEqual(refused('secret_path'))
    })
    test.each([
      [file, '/run/secrets/key'],
      [file, '../key'],
      [file, 'a/..'],
      [variable, 'WEIR_MASTER_KEY'],
      [variable, 'DATABASE_URL'],
      [variable, 'TWO'],
      [variable, 'PROVIDER_KEY/../X'],
      [aws, 'a b'],
      [aws, '../a'],
      [azure, 'name/version/more'],
      [azure, 'under_score'],
    ])('for %p with the path %j', async (manager, secret_path) => {
      expect(await param({ ...manager, secret_path })).toEqual(refused('secret_path'))
    })
    test.each([
      [{ ...VAULT, vault_addr: 'https://private.example.com' }, 'vault_addr'],
      [{ ...VAULT, vault_addr: 'http://vault.example.com' }, 'vault_addr'],
      [{ vault_auth_type: 'kubernetes', vault_addr: 'https://vault.example.com', vault_role: 'r' }, 'vault_addr'],
      [{ ...VAULT, vault_token: undefined }, 'vault_token'],
      [{ ...VAULT, vault_token: 'with a\nline' }, 'vault_token'],
      [{ ...VAULT, vault_auth_type: undefined }, 'vault_auth_type'],
      [{ ...VAULT, vault_auth_type: 'ldap' }, 'vault_auth_type'],
      [{ ...VAULT, vault_role: 'r' }, 'vault_role'],
      [{ ...VAULT, aws_region: 'eu-west-1' }, 'aws_region'],
      [{ ...VAULT, vault_namespace: '../root' }, 'vault_namespace'],
    ])('for the login %j', async (auth_config, field) => {
      expect(await param({ auth_config })).toEqual(refused(`auth_config.${field}`))
    })
    test.each([
      'https://contoso.example.com',
      'https://contoso.vault.azure.net.example.com',
      'http://contoso.vault.azure.net',
    ])('for a key vault at %j, which would get tokens for all of them', async (azure_vault_url) => {
      const auth_config = { azure_auth_mode: 'managed', azure_vault_url }
      expect(await param({ manager_type: 'azure_kv', auth_config, secret_path: 'a' })).toEqual(
        refused('auth_config.azure_vault_url'),
      )
    })
    test('for what the operator gives no more', async () => {
      const before = settings
      settings = { environment: [], folders: [], machineLogin: false }
      try {
        expect(await param({ ...variable, secret_path: 'ONE' })).toEqual(refused('secret_path'))
        expect(await param({ ...file, secret_path: 'key' })).toEqual(refused('secret_path'))
        expect(await param({ ...aws, secret_path: 'a' })).toEqual(refused('auth_config.aws_auth_type'))
        expect(await param({ ...azure, secret_path: 'a' })).toEqual(refused('auth_config.azure_auth_mode'))
      } finally {
        settings = before
      }
    })
  })
})
