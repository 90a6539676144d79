import { beforeAll, expect, test } from 'bun:test'
import prices from '../../../plugins/prices/index.ts'
import type { Priced, StoredPrices } from '../../core/prices.ts'
import { fakeHost } from '../../kit/testing.ts'
import { readStoredProviders } from '../../store/memory/stored-providers.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { integrationsRoutes } from '../integrations/routes.ts'
import { createFixture, type Fixture } from '../integrations/test-support.ts'
import { providersRoutes } from './routes.ts'
import { createStoredPrices } from './stored-prices.ts'

const million = { inputTokens: 1_000_000, outputTokens: 1_000_000, totalTokens: 2_000_000 }

describeOnBothStores('prices of stored providers', (store) => {
  let our: Fixture
  beforeAll(async () => {
    our = await createFixture(store(), (deps) => [...integrationsRoutes(deps), ...providersRoutes(deps)])
  })

  const make = async (body: object, models?: readonly object[]): Promise<string> => {
    const whole = { name: 'Priced', ai_provider_id: 'openai', key: 'sk-0123456789abcdef', ...body }
    const { status, body: answer } = await our.call('blue', 'POST', '/integrations', whole)
    expect([status, answer]).toEqual([200, expect.objectContaining({ slug: expect.any(String) })])
    const slug = String(answer.slug)
    if (models !== undefined) {
      const put = await our.call('blue', 'PUT', `/integrations/${slug}/models`, { models })
      expect(put).toEqual({ status: 200, body: {} })
    }
    return slug
  }

  /** As it is stored now. */
  const stored = async (): Promise<StoredPrices> => {
    const records = await readStoredProviders(store().db)
    return createStoredPrices({ find: (workspaceId, slug) => records.get(workspaceId)?.get(slug) })
  }

  const costOf = async (slug: string, model: string, workspaceId = our.blue): Promise<Priced | undefined> => {
    const parts = await prices.setup({}, fakeHost({ storedPrices: await stored() }))
    const bought = { provider: 'openai', models: [model], workspaceId, storedProvider: slug, usage: million }
    return parts.prices?.costOf(bought)
  }

  test('are the public ones where an integration says nothing', async () => {
    const slug = await make({})
    expect((await stored()).find(our.blue, slug)).toBeUndefined()
    expect(await costOf(slug, 'gpt-4o')).toMatchObject({ cost: { total: 12.5e12 }, priceId: 'table:2026-11-22' })
  })

  test('follow the factors of an integration, and no other workspace does', async () => {
    const slug = await make({ pricing_adjustments: { multiplier: { default: 0.5, response_token: 2 } } })
    expect(await costOf(slug, 'gpt-4o')).toMatchObject({ cost: { total: 21.25e12 }, priceId: 'integration' })
    expect(await costOf(slug, 'gpt-4o', our.red)).toMatchObject({ priceId: 'table:2026-11-22' })
  })

  test('follow the price of a model, which factors do not touch, until it is taken away', async () => {
    const price = { request_token: { price: 0.0001 }, response_token: { price: 0.0002 } }
    const slug = await make({ pricing_adjustments: { multiplier: { default: 0.5 } } }, [
      { slug: 'ours', enabled: true, is_custom: true, pricing_config: { type: 'static', pay_as_you_go: price } },
      { slug: 'empty', enabled: true, is_custom: true, pricing_config: { type: 'static', pay_as_you_go: {} } },
      { slug: 'alias', enabled: true, is_custom: true, base_model_slug: 'gpt-4o' },
    ])
    expect(await costOf(slug, 'ours')).toMatchObject({ cost: { total: 3e12 }, priceId: 'integration' })
    expect(await costOf(slug, 'alias')).toMatchObject({ cost: { total: 6.25e12 }, priceId: 'integration' })
    expect(await costOf(slug, 'empty')).toBeUndefined()
    const models = [{ slug: 'ours', enabled: true, pricing_config: null }]
    expect((await our.call('blue', 'PUT', `/integrations/${slug}/models`, { models })).status).toBe(200)
    expect(await costOf(slug, 'ours')).toBeUndefined()
  })

  test('are those of the model behind a deployment', async () => {
    const deployment = {
      azure_api_version: '2024-10-21',
      azure_deployment_name: 'd-1',
      azure_model_slug: 'gpt-4o',
      alias: 'smart',
    }
    const configurations = {
      azure_auth_mode: 'default',
      azure_resource_name: 'acme',
      azure_deployment_config: [deployment],
    }
    const slug = await make({ ai_provider_id: 'azure-openai', configurations })
    expect((await stored()).find(our.blue, slug)?.namesOf('smart')).toContain('gpt-4o')
  })

  test('are the same object until something changes', async () => {
    const slug = await make({ pricing_adjustments: { multiplier: { default: 0.5 } } })
    const found = await stored()
    expect(found.find(our.blue, slug)).toBe(found.find(our.blue, slug))
  })

  test('a price that is none is refused by its name', async () => {
    const slug = await make({})
    for (const [price, field] of [
      [{ request_token: { price: -1 } }, 'request_token.price'],
      [{ request_token: { price: 1, currency: 'EUR' } }, 'request_token.currency'],
      [{ tokens: { price: 1 } }, 'tokens'],
      [{ image: { high: { big: { price: '5' } } } }, 'image.high.big.price'],
    ] as const) {
      const models = [{ slug: 'm', enabled: true, pricing_config: { type: 'static', pay_as_you_go: price } }]
      const { status, body } = await our.call('blue', 'PUT', `/integrations/${slug}/models`, { models })
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain(`models[0].pricing_config.pay_as_you_go.${field}`)
    }
  })
})
