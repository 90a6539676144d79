import { beforeAll, expect, test } from 'bun:test'
import { describeOnBothStores } from '../../store/testing.ts'
import { integrationsRoutes } from '../integrations/routes.ts'
import { createFixture, errorOf, type Fixture } from '../integrations/test-support.ts'
import { providersRoutes } from '../providers/routes.ts'
import { virtualKeysRoutes } from './routes.ts'

describeOnBothStores('virtual keys', (store) => {
  let our: Fixture
  beforeAll(async () => {
    our = await createFixture(store(), (deps) => [
      ...integrationsRoutes(deps),
      ...providersRoutes(deps),
      ...virtualKeysRoutes(deps),
    ])
  })
  const KEY = 'sk-canary-0123456789abcdefghijklmnopqrstuv'
  const NEW = { name: 'Older', provider: 'openai', key: KEY }
  const AZURE = { ...NEW, provider: 'azure-openai', resourceName: 'acme' }
  const make = (body: unknown) => our.call('blue', 'POST', '/virtual-keys', body)
  const show = async (slug: string) => (await our.call('blue', 'GET', `/virtual-keys/${slug}`)).body

  test('may go to a host of their own', async () => {
    const own = { ...NEW, slug: 'own-host', custom_host: 'https://llm.example/v1/' }
    expect((await make(own)).status).toBe(200)
    expect(await show('own-host')).toMatchObject({ model_config: { custom_host: 'https://llm.example/v1' } })
    const change = (body: unknown) => our.call('blue', 'PUT', '/virtual-keys/own-host', body)
    const moved = { custom_host: 'https://other.example/v1' }
    expect(errorOf(await change(moved))).toEqual([400, 'AB01', 'key'])
    expect((await change({ ...moved, key: KEY })).status).toBe(200)
    expect((await change({ custom_host: null })).status).toBe(200)
    expect(await show('own-host')).toMatchObject({ model_config: {} })
    expect(errorOf(await make({ ...own, slug: 'b', custom_host: 'http://private/v1' }))).toEqual([
      400,
      'AB01',
      'custom_host',
    ])
    await our.call('blue', 'DELETE', '/virtual-keys/own-host')
  })

  test('of a provider that is not there is refused, with those that are', async () => {
    const refused = await make({ ...NEW, provider: 'oracle' })
    expect(errorOf(refused)).toEqual([400, 'AB01', 'provider'])
    expect(JSON.stringify(refused.body)).toContain('cannot call yet; running are: openai, azure-openai, anthropic')
  })

  test('are made, listed, shown masked, changed and deleted, and are providers too', async () => {
    expect(await make({ ...NEW, slug: 'older', note: 'n' })).toEqual({
      status: 200,
      body: { success: true, data: { slug: 'older' } },
    })
    const shown = await show('older')
    expect(shown).toMatchObject({
      name: 'Older',
      provider: 'openai',
      note: 'n',
      status: 'active',
      key: 'sk-*****tuv',
      model_config: {},
      slug: 'older',
      object: 'virtual-key',
    })
    const list = (await our.call('blue', 'GET', '/virtual-keys')).body
    expect(list).toEqual({ object: 'list', total: 1, data: [shown] })
    const provider = (await our.call('blue', 'GET', '/providers/older')).body
    expect((await our.call('blue', 'GET', `/integrations/${provider.integration_id}`)).body.workspace_id).toBe(our.blue)

    const change = { name: 'newer', key: `${KEY}-2`, note: null, expires_at: '2031-01-01T00:00:00Z' }
    expect((await our.call('blue', 'PUT', '/virtual-keys/older', change)).body).toEqual({
      success: true,
      data: { slug: 'older' },
    })
    expect(await show('older')).toMatchObject({ name: 'newer', key: 'sk-*****v-2', note: null })
    expect((await our.call('blue', 'DELETE', '/virtual-keys/older')).body).toEqual({
      success: true,
      data: { slug: 'older' },
    })
    expect(errorOf(await our.call('blue', 'GET', '/virtual-keys/older'))).toEqual([404, 'AB08', null])
    expect(errorOf(await our.call('blue', 'GET', `/integrations/${provider.integration_id}`))).toEqual([
      404,
      'AB08',
      null,
    ])
    const audit = (await our.audit()).slice(0, 3)
    expect(audit.map(({ action }) => action)).toEqual([
      'virtual_keys.delete',
      'virtual_keys.update',
      'virtual_keys.create',
    ])
    expect(JSON.stringify(audit)).not.toContain(KEY)
  })

  test('of Azure take the older field names', async () => {
    const deploymentConfig = [
      { deploymentName: 'd-1', apiVersion: '2024-10-21', alias: 'smart' },
      { deploymentName: 'd-2', apiVersion: '2024-10-21', is_default: true },
    ]
    await make({ ...AZURE, slug: 'azure', deploymentConfig })
    expect((await show('azure')).model_config).toEqual({
      resourceName: 'acme',
      deploymentConfig: [
        { deploymentName: 'd-1', apiVersion: '2024-10-21', alias: 'smart', is_default: false },
        { deploymentName: 'd-2', apiVersion: '2024-10-21', is_default: true },
      ],
    })
    const change = { deploymentName: 'd-3', apiVersion: 'v1' }
    expect((await our.call('blue', 'PUT', '/virtual-keys/azure', change)).status).toBe(200)
    expect((await show('azure')).model_config).toEqual({
      resourceName: 'acme',
      deploymentConfig: [{ deploymentName: 'd-3', apiVersion: 'v1', is_default: true }],
    })
  })

  test('take secrets from elsewhere under the older field names', async () => {
    const secret_mappings = [
      { target_field: 'key', secret_reference_id: 'vault-openai' },
      { target_field: 'model_config.resourceName', secret_reference_id: 'vault-openai' },
    ]
    const deployment = { deploymentName: 'd', apiVersion: 'v1' }
    const body = { ...AZURE, ...deployment, key: undefined, resourceName: undefined, slug: 'mapped', secret_mappings }
    expect((await make(body)).status).toBe(200)
    expect(await show('mapped')).toMatchObject({ key: null, secret_mappings })
  })

  test('that are wrong are refused by the names of their own fields', async () => {
    await make({ ...NEW, slug: 'taken' })
    const deployment = { deploymentName: 'd', apiVersion: 'v1' }
    for (const [body, expected] of [
      [{ ...NEW, provider: 'none' }, [400, 'AB01', 'provider']],
      [{ ...NEW, resourceName: 'acme' }, [400, 'AB01', 'resourceName']],
      [{ ...NEW, keey: 'x' }, [400, 'AB01', 'keey']],
      [{ ...NEW, slug: 'taken' }, [409, 'AB07', 'slug']],
      [{ ...AZURE }, [400, 'AB01', 'deploymentConfig']],
      [{ ...AZURE, ...deployment, resourceName: undefined }, [400, 'AB01', 'resourceName']],
      [{ ...AZURE, ...deployment, resourceName: 'a.b/c' }, [400, 'AB01', 'resourceName']],
      [{ ...AZURE, deploymentName: 'd' }, [400, 'AB01', 'apiVersion']],
      [{ ...AZURE, apiVersion: 'v1' }, [400, 'AB01', 'deploymentName']],
      [{ ...AZURE, ...deployment, deploymentConfig: [deployment] }, [400, 'AB01', 'deploymentConfig']],
    ] as const) {
      expect(errorOf(await make(body))).toEqual([...expected])
    }
    expect(errorOf(await our.call('red', 'GET', '/virtual-keys/taken'))).toEqual([404, 'AB08', null])
    const { rows } = { rows: (await our.call('admin', 'GET', '/integrations')).body.data as { name: string }[] }
    expect(rows.filter(({ name }) => name === NEW.name)).toHaveLength(3)
  })

  test('whose key is the organisation’s do not change that, but go away alone', async () => {
    await our.call('admin', 'POST', '/integrations', { name: 'Main', ai_provider_id: 'openai', slug: 'main', key: KEY })
    const access = { workspaces: [{ id: our.blue, enabled: true }] }
    await our.call('admin', 'PUT', '/integrations/main/workspaces', access)
    expect((await show('main')).key).toBe('sk-*****tuv')
    expect((await our.call('blue', 'PUT', '/virtual-keys/main', { note: 'fine' })).status).toBe(200)
    expect(errorOf(await our.call('blue', 'PUT', '/virtual-keys/main', { key: 'sk-other-0123456789' }))).toEqual([
      403,
      'AB03',
      null,
    ])
    expect((await our.call('blue', 'DELETE', '/virtual-keys/main')).status).toBe(200)
    expect((await our.call('admin', 'GET', '/integrations/main')).status).toBe(200)
  })
})
