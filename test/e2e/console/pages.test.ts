import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { openStage, PATH_MS, STAGE_MS, type Stage } from './support/stage.ts'

/** `CONSOLE_SCREENSHOTS=1` makes those of the documentation anew. */
const SHOTS = process.env.CONSOLE_SCREENSHOTS === '1' ? join(import.meta.dir, '../../../docs/console') : undefined

const SMALL = { viewport: { width: 1120, height: 700 }, deviceScaleFactor: 0.75 }

let stage: Stage
/** Addresses below `/console`, by the name of their screenshot. */
let pages: Readonly<Record<string, string>>

beforeAll(async () => {
  stage = await openStage()
  await stage.manage('POST', '/v2/virtual-keys', { name: 'Test', slug: 'test', provider: 'mock', key: 'a key' })
  const policy = { conditions: [{ key: 'workspace_id', value: '*' }], group_by: [{ key: 'api_key' }] }
  await stage.manage('POST', '/v2/policies/rate-limits', {
    ...{ name: 'Everybody', type: 'requests', unit: 'rpm', value: 600, ...policy },
  })
  await stage.manage('POST', '/v2/policies/usage-limits', {
    ...{ name: 'A month', type: 'cost', credit_limit: 100, periodic_reset: 'monthly', ...policy },
  })
  for (const user of ['ada', 'grace', 'alan']) await stage.call({ user })
  await stage.call({ model: 'mock:fault=rate-limited' })
  await stage.manage('POST', '/v2/guardrails', {
    ...{ name: 'No secrets', checks: [{ id: 'default.regexMatch', parameters: { rule: 'sk-', not: true } }] },
  })
  const made = await stage.manage('POST', '/v2/prompts', {
    ...{ name: 'Greeting', string: '[{"role":"user","content":"Greet {{name}}."}]', parameters: {}, model: 'mock' },
    virtual_key: 'test',
  })
  const targets = [
    { provider: 'mock', weight: 3 },
    { virtual_key: 'test', override_params: { model: 'mock-tools' } },
  ]
  const config = await stage.manage('POST', '/v2/configs', {
    ...{ name: 'Spread', config: { retry: { attempts: 2 }, strategy: { mode: 'loadbalance' }, targets } },
  })
  await stage.manage('POST', '/admin/v2/deployments', { name: 'Frankfurt', slug: 'frankfurt' })
  await stage.manage('POST', '/admin/v2/integrations', {
    ...{ name: 'Ours', slug: 'ours', ai_provider_id: 'openai', key: 'any' },
  })
  const price = { request_token: { price: 0.000125 }, response_token: { price: 0.0005 } }
  await stage.manage('PUT', '/admin/v2/integrations/ours/models', {
    models: [{ slug: 'gpt-4o', enabled: true, pricing_config: { type: 'static', pay_as_you_go: price } }],
  })
  await stage.manage('POST', '/admin/v2/mcp-integrations', {
    ...{ name: 'Tracker', slug: 'tracker', url: 'https://tracker.example/mcp', auth_type: 'oauth_auto' },
    ...{ transport: 'http' },
  })
  await stage.manage('PUT', '/admin/v2/mcp-integrations/tracker/workspaces', {
    ...{ workspaces: [], global_workspace_access: { enabled: true } },
  })
  await stage.manage('POST', '/v2/mcp-servers', { name: 'Tracker', slug: 'tracker', mcp_integration_id: 'tracker' })
  const exported = await stage.manage('POST', '/v2/logs/exports', {
    ...{ description: 'For the books', filters: {}, requested_data: ['id', 'cost'] },
  })
  await stage.manage('POST', `/v2/logs/exports/${exported.id}/start`)
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }]
  const models = ['mock:fault=overloaded', 'mock-tools']
  const fallback = models.map((model) => ({ provider: 'mock', override_params: { model } }))
  const record = await stage.call(
    { messages: [{ role: 'user', content: 'How is the weather?' }], tools, user: 'ada' },
    {
      'x-gateway-config': JSON.stringify({ strategy: { mode: 'fallback' }, targets: fallback }),
      'x-gateway-metadata': '{"team": "blue"}',
    },
  )
  pages = {
    start: '/start',
    overview: '/overview',
    records: '/records',
    record: `/records/${record}`,
    exports: '/exports',
    playground: '/playground',
    replay: `/playground?record=${record}`,
    batches: '/batches',
    keys: '/keys',
    providers: '/providers',
    policies: '/policies',
    budgets: '/policies?kind=budgets',
    guardrails: '/policies?kind=guardrails',
    prompts: '/prompts',
    prompt: `/prompts/${made.slug}`,
    configs: '/configs',
    config: `/configs/${config.slug}`,
    'mcp-servers': '/mcp-servers',
    prices: '/prices',
    integrations: '/integrations',
    deployments: '/deployments',
    'secret-references': '/secret-references',
    people: '/people',
    'audit-log': '/audit-log',
    health: '/health',
  }
  if (SHOTS !== undefined) await mkdir(SHOTS, { recursive: true })
}, STAGE_MS)
afterAll(() => stage?.close())

const settle = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** What axe has against the page as it is. */
const violations = async (page: Page): Promise<readonly string[]> => {
  const { violations: found } = await new AxeBuilder({ page }).analyze()
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}

/** Every page, and each dialog, is looked at with each colour. */
const LOOKS_MS = 300_000

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `every page is for everybody: ${colorScheme}`,
    async () => {
      const page = await stage.open({ colorScheme })
      await page.goto(`${stage.url}/console/`)
      await page.getByLabel('Admin key').waitFor()
      const found = new Map([['sign-in', await violations(page)]])
      await page.context().close()

      const signedIn = await stage.openSignedIn('/', { colorScheme, ...(SHOTS === undefined ? {} : SMALL) })
      for (const [name, path] of Object.entries(pages)) {
        await signedIn.goto(`${stage.url}/console${path}`)
        await settle(signedIn)
        found.set(name, await violations(signedIn))
        if (SHOTS !== undefined) await signedIn.screenshot({ path: join(SHOTS, `${name}-${colorScheme}.png`) })
      }
      expect([...found].filter(([, list]) => list.length > 0)).toEqual([])
      expect(stage.complaints).toEqual([])
      await signedIn.context().close()
    },
    LOOKS_MS,
  )
}

const DIALOGS = [
  ['/keys', 'New key'],
  ['/providers', 'New provider'],
  ['/policies', 'New rate limit'],
  ['/policies?kind=guardrails', 'New guardrail'],
  ['/people', 'New invite'],
  ['/exports', 'New export'],
  ['/prices', 'New own price'],
  ['/deployments', 'New deployment'],
  ['/mcp-servers', 'New MCP server'],
  ['/mcp-servers', 'Tools'],
  ['/mcp-servers', 'Connect'],
  ['/policies', 'Who is at it'],
] as const

test(
  'every dialog is for everybody',
  async () => {
    const found = new Map<string, readonly string[]>()
    const page = await stage.openSignedIn('/', { colorScheme: 'dark' })
    for (const [path, button] of DIALOGS) {
      await page.goto(`${stage.url}/console${path}`)
      await page.getByRole('button', { name: button }).first().click()
      await page.getByRole('dialog').waitFor()
      await page.waitForLoadState('networkidle')
      found.set(button, await violations(page))
    }
    expect([...found].filter(([, list]) => list.length > 0)).toEqual([])
    expect(stage.complaints).toEqual([])
    await page.context().close()
  },
  LOOKS_MS,
)

test(
  'on a phone nothing is wider than the screen',
  async () => {
    const page = await stage.openSignedIn('/', { viewport: { width: 390, height: 800 }, hasTouch: true })
    for (const path of Object.values(pages)) {
      await page.goto(`${stage.url}/console${path}`)
      await settle(page)
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 390])
    }
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await page.context().close()
  },
  PATH_MS,
)

test(
  'a keyboard reaches everything: past the navigation, into a dialog and out again',
  async () => {
    const page = await stage.openSignedIn('/keys')
    await settle(page)
    await page.getByRole('link', { name: 'Skip to the content' }).focus()
    await page.keyboard.press('Enter')
    expect(page.url()).toEndWith('/console/keys#content')
    // The title has the focus; the search comes next, and then what can be done.
    await page.reload()
    await settle(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    // However often: the focus stays inside.
    for (let press = 0; press < 30; press++) await page.keyboard.press('Tab')
    expect(await page.evaluate('document.querySelector("[role=dialog]").contains(document.activeElement)')).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.context().close()
  },
  PATH_MS,
)

test(
  'the first page is small, comes quickly, and asks nobody else',
  async () => {
    const page = await stage.open()
    const asked: string[] = []
    let bytes = 0
    page.on('response', (response) => {
      asked.push(response.url())
      bytes += Number(response.headers()['content-length'] ?? 0)
    })
    await page.goto(`${stage.url}/console/`)
    await page.getByLabel('Admin key').waitFor()
    const shownMs = Number(await page.evaluate('performance.now()'))
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.filter((url) => !url.startsWith(`${stage.url}/`))).toEqual([])
    const kilobytes = bytes / 1000
    console.log(`The first page: ${kilobytes.toFixed(0)} KB compressed, shown after ${shownMs.toFixed(0)} ms`)
    expect(kilobytes).toBeGreaterThan(50)
    expect(kilobytes).toBeLessThanOrEqual(300)
    // A machine that does other things too may take three times as long.
    expect(shownMs).toBeLessThan(3_000)
    await page.context().close()
  },
  PATH_MS,
)
