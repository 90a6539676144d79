import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, PATH_MS, STAGE_MS, type Stage } from './support/stage.ts'
import { type Walk, walkOn } from './support/walk.ts'

let stage: Stage
let page: Page
let walk: Walk

beforeAll(async () => {
  stage = await openStage()
  page = await stage.openSignedIn()
  walk = walkOn(stage, page)
}, STAGE_MS)
afterAll(() => stage?.close())

/** Until a change is live on every process, on a busy machine. */
const LIVE_MS = 3_000

const panel = (title: string) =>
  page.locator('main section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

test(
  'a call that was tried twice is a waterfall, its conversation a chat, and it is asked again in the playground',
  async () => {
    const models = ['mock:fault=overloaded', 'mock-tools']
    const targets = models.map((model) => ({ provider: 'mock', override_params: { model } }))
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }]
    const id = await stage.call(
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'How is the weather?' },
        ],
        ...{ tools, temperature: 0.25 },
      },
      { 'x-gateway-config': JSON.stringify({ strategy: { mode: 'fallback' }, targets }) },
    )
    await page.goto(`${stage.url}/console/records/${id}`)
    const bars = panel('Where the time went').getByRole('listitem')
    await bars
      .filter({ hasText: '1. mock: 503' })
      .or(bars.filter({ hasText: '1. mock: 529' }))
      .waitFor()
    const second = (await bars.filter({ hasText: '2. mock: 200' }).textContent()) ?? ''
    // It began once the first had ended.
    expect(second).toMatch(/begun after (?!0 ms)[\d.]+ m?s/)

    const chat = panel('Conversation')
    await chat.getByText('Be brief.').waitFor()
    await chat.getByText('How is the weather?').waitFor()
    await chat.getByText('get_weather').waitFor()

    await page.getByRole('link', { name: 'Try it in the playground' }).click()
    expect(await page.getByLabel('Question').inputValue()).toBe('How is the weather?')
    expect(await page.getByLabel('System message').inputValue()).toBe('Be brief.')
    expect(JSON.parse(await page.getByLabel('Tools').inputValue())).toEqual(tools)
    expect(JSON.parse(await page.getByLabel('Parameters').inputValue())).toEqual({ temperature: 0.25 })
    await page.getByLabel('Model 1: what is called').fill('mock')
    await page.getByLabel('Tools').fill('')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Mock answer to: How is the weather?').waitFor()
  },
  PATH_MS,
)

test(
  'what a call cost is told with its parts and where its price is from',
  async () => {
    await stage.manage('POST', '/admin/v2/integrations', {
      ...{ name: 'Priced', slug: 'priced', ai_provider_id: 'mock', key: 'any' },
    })
    const price = { request_token: { price: 0.5 }, response_token: { price: 2 } }
    await stage.manage('PUT', '/admin/v2/integrations/priced/models', {
      models: [{ slug: 'mock', enabled: true, pricing_config: { type: 'static', pay_as_you_go: price } }],
    })
    await stage.manage('PUT', '/admin/v2/integrations/priced/workspaces', {
      ...{ workspaces: [], global_workspace_access: { enabled: true } },
      ...{ create_default_provider: true, default_provider_slug: 'priced' },
    })
    await Bun.sleep(LIVE_MS)
    const id = await stage.call({}, { 'x-gateway-provider': '@priced' })
    await page.goto(`${stage.url}/console/records/${id}`)
    const cost = panel('What it cost')
    await cost.getByText('By the own price of the integration.').waitFor()
    const log = (await stage.manage('GET', `/v2/logs/${id}`)) as {
      readonly metrics: { readonly cost: number; readonly cost_parts: Readonly<Record<string, number>> }
    }
    const { input = 0, output = 0, cache, other } = log.metrics.cost_parts
    expect([input > 0, output > 0, cache, other]).toEqual([true, true, 0, 0])
    expect(input + output).toBe(log.metrics.cost)
    await cost
      .getByRole('row')
      .filter({ hasText: 'Output' })
      .getByText(`$${(output / 100).toFixed(2)}`)
      .waitFor()

    // Without a price it is said so, and where to set one.
    const unpriced = await stage.call()
    await page.goto(`${stage.url}/console/records/${unpriced}`)
    await page.getByText('is not known, so the call is in no sum').waitFor()
  },
  PATH_MS,
)

test(
  'limits are asked what they say to the same request now; one in shadow is tried before it is enforced',
  async () => {
    await stage.manage('POST', '/v2/policies/rate-limits', {
      ...{ name: 'one an hour', type: 'requests', unit: 'rph', value: 1, mode: 'shadow' },
      ...{ conditions: [{ key: 'metadata.team', value: 'blue' }], group_by: [{ key: 'metadata.team' }] },
    })
    await Bun.sleep(LIVE_MS)
    const team = (name: string) => ({ 'x-gateway-metadata': JSON.stringify({ team: name }) })
    await stage.call({}, team('blue'))
    const second = await stage.call({}, team('blue'))
    await page.goto(`${stage.url}/console/records/${second}`)
    await page.getByText('would have refused it, in shadow').waitFor()
    await page.getByRole('button', { name: 'Ask them' }).click()
    const verdict = panel('What limits and budgets say to it now').getByRole('row').filter({ hasText: 'one an hour' })
    await verdict.getByText('2 of 1 used').waitFor()
    await verdict.getByText('would refuse, in shadow').waitFor()
    await page.getByText('would go through').waitFor()

    await verdict.getByRole('link', { name: 'one an hour' }).click()
    await walk.rowOf('one an hour').getByRole('button', { name: 'Enforce' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('row').filter({ hasText: 'blue' }).getByText('at the limit').waitFor()
    await dialog.getByRole('button', { name: 'Enforce' }).click()
    await walk.rowOf('one an hour').getByText('enforce', { exact: true }).waitFor()
    await Bun.sleep(LIVE_MS)

    const refused = await stage.call({}, team('blue'))
    await page.goto(`${stage.url}/console/records/${refused}`)
    await page.getByRole('heading', { name: 'Why was this refused?' }).waitFor()
    await page.getByText('refused it', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Ask them' }).click()
    await page.getByText('would be refused with 429').waitFor()

    // Of another team it is not said.
    const other = await stage.call({}, team('red'))
    await page.goto(`${stage.url}/console/records/${other}`)
    await page.getByRole('button', { name: 'Ask them' }).click()
    await page.getByText('metadata.team is red, not blue').waitFor()
  },
  PATH_MS,
)

test(
  'a record with bodies of a megabyte is shown, its beginning first; of a longer one it is said that it was cut',
  async () => {
    const long = `begins here ${'lorem ipsum '.repeat(83_000)}ends here`
    const id = await stage.call({ messages: [{ role: 'user', content: long }] })
    await page.goto(`${stage.url}/console/records/${id}`)
    const chat = panel('Conversation')
    await chat.getByText('begins here').first().waitFor()
    expect(await chat.getByText('ends here').count()).toBe(0)
    const begun = performance.now()
    await page
      .getByRole('button', { name: /^All [\d,]+ characters$/ })
      .first()
      .click()
    await chat.getByText('ends here').first().waitFor()
    expect(performance.now() - begun).toBeLessThan(10_000)

    const longer = await stage.call({ messages: [{ role: 'user', content: long.repeat(2) }] })
    await page.goto(`${stage.url}/console/records/${longer}`)
    await page.getByText('It was longer than what is kept.').first().waitFor()
    await page.getByRole('region', { name: 'Request, body' }).getByText('begins here').waitFor()
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
