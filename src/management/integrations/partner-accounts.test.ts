import { beforeAll, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import type { PartnerAccount } from '../../kit/partner-account.ts'
import { integrationRows } from '../../store/objects/integrations.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { providersRoutes } from '../providers/routes.ts'
import { storable } from './deps.ts'
import { integrationsRoutes } from './routes.ts'
import { createFixture, errorOf, type Fixture } from './test-support.ts'

const ACME: PartnerAccount = {
  id: 'acme-guard',
  settings: {
    acme_region: t.Union([t.Literal('eu'), t.Literal('us')]),
    acme_project: t.String(),
    acme_token: t.String(),
  },
  required: ['acme_region'],
  hostSettings: ['acme_region'],
}

describeOnBothStores('accounts with partners of checks', (store) => {
  let our: Fixture
  beforeAll(async () => {
    const providers = storable({ providers: [{ id: 'openai' }], accounts: [ACME, { id: 'bare' }] })
    const routes = (deps: Fixture['deps']) => [...integrationsRoutes(deps), ...providersRoutes(deps)]
    our = await createFixture(store(), routes, { providers: () => providers })
  })
  const post = (body: Record<string, unknown>) =>
    our.call('blue', 'POST', '/integrations', {
      name: 'Guard',
      ai_provider_id: 'acme-guard',
      key: 'k-12345678',
      ...body,
    })

  test('are stored as those with providers are, and become providers of the workspace', async () => {
    const configurations = { acme_region: 'eu', acme_token: 'token-in-clear', custom_host: 'https://guard.example/' }
    expect(await post({ slug: 'guard', configurations })).toMatchObject({ status: 200, body: { slug: 'guard' } })
    const shown = await our.call('blue', 'GET', '/integrations/guard')
    expect(shown.body).toMatchObject({
      ai_provider_id: 'acme-guard',
      configurations: { acme_region: 'eu', custom_host: 'https://guard.example' },
    })
    expect(JSON.stringify(shown.body)).not.toContain('token-in-clear')
    const place = { organisationId: our.organisationId, reference: 'guard' }
    const row = await integrationRows.find(store().db, place)
    expect(Object.keys(row?.secrets ?? {}).sort()).toEqual(['configurations.acme_token', 'key'])
    expect((await our.call('blue', 'GET', '/providers/guard')).body).toMatchObject({ ai_provider_id: 'acme-guard' })
    expect((await post({ slug: 'bare', ai_provider_id: 'bare' })).status).toBe(200)
  })

  test('are refused without what they need, and with what they do not have', async () => {
    const refused = async (body: Record<string, unknown>) => errorOf(await post(body))
    const at = (field: string) => [400, 'AB01', `configurations.${field}`]
    expect(await refused({})).toEqual(at('acme_region'))
    expect(await refused({ configurations: { acme_region: 'mars' } })).toEqual(at('acme_region'))
    expect(await refused({ configurations: { acme_region: 'eu', acme_x: 'y' } })).toEqual(at('acme_x'))
    expect(await refused({ configurations: { acme_region: 'eu', custom_host: 'http://private' } })).toEqual(
      at('custom_host'),
    )
    expect(await refused({ ai_provider_id: 'bare', configurations: { acme_region: 'eu' } })).toEqual(at('acme_region'))
    expect(await refused({ ai_provider_id: 'acme-gard' })).toEqual([400, 'AB01', 'ai_provider_id'])
  })

  test('keep their key when it would go to another host', async () => {
    await post({ slug: 'moving', configurations: { acme_region: 'eu' } })
    const put = (body: Record<string, unknown>) => our.call('blue', 'PUT', '/integrations/moving', body)
    expect((await put({ configurations: { acme_project: 'p-1' } })).status).toBe(200)
    expect(errorOf(await put({ configurations: { acme_region: 'us' } }))).toEqual([400, 'AB01', 'key'])
    expect((await put({ configurations: { acme_region: 'us' }, key: 'k-another1' })).status).toBe(200)
  })
})
