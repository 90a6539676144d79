import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ADMIN_KEY, openStage, PATH_MS, STAGE_MS, type Stage, signIn, titleOf } from './support/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
}, STAGE_MS)
afterAll(() => stage?.close())

/** Says so, if it is ever taken for markup; and what would colour a terminal, or clear it. */
const ANSI = '\u001b[31mred\u001b[2J\u001b]0;owned\u0007'
const MARKUP = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'

const VAULT = { vault_auth_type: 'token', vault_addr: 'https://vault.example:8200', vault_token: 'none' }

test(
  'what is stored and what was called stays text on every page',
  async () => {
    await stage.manage('POST', '/v2/api-keys/service', {
      name: MARKUP,
      description: MARKUP,
      scopes: ['completions.write'],
    })
    await stage.manage('POST', '/v2/virtual-keys', { name: MARKUP, slug: 'markup', provider: 'mock', note: MARKUP })
    const conditions = [{ key: 'metadata.team', value: MARKUP.slice(0, 100) }]
    const group_by = [{ key: 'api_key' }]
    const limit = { type: 'requests', unit: 'rpm', value: 1, mode: 'shadow' }
    await stage.manage('POST', '/v2/policies/rate-limits', { name: MARKUP, conditions, group_by, ...limit })
    const budget = { type: 'cost', credit_limit: 1, mode: 'shadow' }
    await stage.manage('POST', '/v2/policies/usage-limits', { name: MARKUP, conditions, group_by, ...budget })
    await stage.manage('POST', '/v2/guardrails', {
      ...{ name: MARKUP, checks: [{ id: 'default.contains', name: MARKUP, parameters: { words: [MARKUP] } }] },
    })
    const prompt = await stage.manage('POST', '/v2/prompts', {
      ...{ name: MARKUP, string: MARKUP, parameters: { note: MARKUP }, model: 'mock', version_description: MARKUP },
    })
    const config = await stage.manage('POST', '/v2/configs', {
      ...{ name: MARKUP, config: { provider: 'mock', override_params: { model: MARKUP } } },
    })
    await stage.manage('POST', '/admin/v2/integrations', {
      ...{ name: MARKUP, slug: 'markup', ai_provider_id: 'openai', key: 'any', description: MARKUP },
    })
    await stage.manage('POST', '/admin/v2/mcp-integrations', {
      ...{ name: MARKUP, url: 'https://tools.example/mcp', auth_type: 'none', transport: 'http', description: MARKUP },
    })
    const secret = { name: MARKUP, manager_type: 'hashicorp_vault', secret_path: 'secret/a', description: MARKUP }
    await stage.manage('POST', '/admin/v2/secret-references', { ...secret, auth_config: VAULT })
    await stage.manage('POST', '/admin/v2/deployments', { name: MARKUP, tags: { note: MARKUP } })
    await stage.manage('PUT', '/admin/v2/integrations/markup/models', {
      models: [
        {
          ...{ slug: `m-${MARKUP}`.slice(0, 100), enabled: true },
          pricing_config: { type: 'static', pay_as_you_go: { request_token: { price: 1 } } },
        },
      ],
    })
    await stage.manage('POST', '/v2/logs/exports', {
      ...{ description: MARKUP, filters: {}, requested_data: ['id'] },
    })
    const picture = { type: 'image_url', image_url: { url: `data:image/svg+xml,${MARKUP}` } }
    const id = await stage.call(
      {
        model: `mock${MARKUP}`,
        user: MARKUP,
        messages: [
          { role: 'system', content: MARKUP + ANSI },
          { role: 'user', content: [{ type: 'text', text: MARKUP + ANSI }, picture] },
        ],
        tools: [{ type: 'function', function: { name: MARKUP } }],
      },
      {
        'x-gateway-trace-id': MARKUP,
        'x-gateway-metadata': JSON.stringify({ [MARKUP]: MARKUP }),
        'user-agent': MARKUP,
      },
    )
    await stage.call({ messages: [{ role: 'user', content: MARKUP }] }, { 'x-gateway-span-name': MARKUP })

    const page = await stage.openSignedIn()
    const stored = [
      '/keys',
      '/providers',
      '/policies',
      '/policies?kind=budgets',
      '/policies?kind=guardrails',
      '/prompts',
    ]
    const more = [`/prompts/${prompt.slug}`, '/configs', `/configs/${config.slug}`, '/integrations', '/mcp-servers']
    const newer = ['/deployments', '/prices', '/exports', '/batches', `/playground?record=${id}`]
    const called = ['/secret-references', '/audit-log', '/records', `/records/${id}`, '/overview', '/playground']
    for (const path of [...stored, ...more, ...newer, ...called, `/records?model=${encodeURIComponent(MARKUP)}`]) {
      await page.goto(`${stage.url}/console${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      expect([path, await page.locator('img, main script').count()]).toEqual([path, 0])
      expect(await page.title()).not.toBe('owned')
    }
    await page.goto(`${stage.url}/console/keys`)
    await page.getByText(MARKUP).first().waitFor()
    await page.goto(`${stage.url}/console/records/${id}`)
    await page.getByText('onerror').first().waitFor()
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)

test(
  'no other page shows the console in a frame',
  async () => {
    const page = await stage.open()
    const hostile = Bun.serve({
      port: 0,
      fetch: () =>
        new Response(`<iframe src="${stage.url}/console/"></iframe>`, { headers: { 'content-type': 'text/html' } }),
    })
    await page.goto(`http://127.0.0.1:${hostile.port}/`)
    await page.waitForLoadState('networkidle')
    const framed = page.frames().find((frame) => frame !== page.mainFrame())
    expect(framed?.url()).toStartWith('chrome-error:')
    await hostile.stop(true)
    await page.context().close()
    // The policy says so too, which is as it should be.
    expect(stage.complaints.splice(0).filter((text) => !text.includes('frame'))).toEqual([])
  },
  PATH_MS,
)

test(
  'no other site changes anything with the session of the browser',
  async () => {
    const page = await stage.openSignedIn('/keys')
    const attempt = `async () => (await fetch('${stage.url}/v2/api-keys/service', { method: 'POST', credentials: 'include',
      headers: { 'content-type': 'application/json' }, body: '{"name":"forged","scopes":["completions.write"]}' })).status`
    // Its own page, without the token.
    expect(await page.evaluate(`(${attempt})()`)).toBe(403)
    const hostile = Bun.serve({ port: 0, fetch: () => new Response('', { headers: { 'content-type': 'text/html' } }) })
    await page.goto(`http://127.0.0.1:${hostile.port}/`)
    await page.evaluate(`(${attempt})().catch(() => 0)`)
    await hostile.stop(true)
    const { data } = await stage.manage('GET', '/v2/api-keys')
    expect(JSON.stringify(data)).not.toContain('forged')
    await page.context().close()
    // The browser says so too, which is as it should be.
    expect(stage.complaints.splice(0).filter((text) => !text.includes('CORS'))).toEqual([])
  },
  PATH_MS,
)

test(
  'a session that ends asks who is there, and keeps what was typed',
  async () => {
    const page = await stage.openSignedIn('/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('kept through it all')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Make the key' }).click()
    const asked = page.getByRole('dialog', { name: 'Your session has ended' })
    await asked.getByLabel('Admin key').fill(ADMIN_KEY)
    await asked.getByRole('button', { name: 'Sign in', exact: true }).click()
    await asked.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Name').inputValue()).toBe('kept through it all')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('row').filter({ hasText: 'kept through it all' }).waitFor()

    // Whoever comes without a session is led back to where they meant to go.
    await page.context().clearCookies()
    await page.goto(`${stage.url}/console/policies?kind=budgets`)
    await signIn(page)
    expect(await titleOf(page)).toBe('Policies')
    expect(page.url()).toEndWith('/console/policies?kind=budgets')

    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor()
    expect(await page.evaluate(`fetch('${stage.url}/v2/session').then((answer) => answer.status)`)).toBe(401)
    await page.context().close()
  },
  PATH_MS,
)

test(
  'a wrong key is refused in words',
  async () => {
    const page = await stage.open()
    await page.goto(`${stage.url}/console/`)
    await page.getByLabel('Admin key').fill('this is no key of anybody')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('not known here').waitFor()
    expect(await page.getByLabel('Admin key').inputValue()).toBe('this is no key of anybody')
    await page.context().close()
  },
  PATH_MS,
)

test(
  'a slow interface is waited for, a broken one is said, and another try helps',
  async () => {
    const page = await stage.openSignedIn('/keys')
    await page.route('**/v2/api-keys?**', async (route) => {
      await Bun.sleep(1_500)
      await route.continue()
    })
    await page.reload()
    await page.getByRole('status').getByText('Loading').waitFor()
    await page.getByRole('row').filter({ hasText: 'Default' }).waitFor()

    await page.unroute('**/v2/api-keys?**')
    await page.route('**/v2/api-keys?**', (route) => route.fulfill({ status: 500, body: 'not even JSON' }))
    await page.reload()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/v2/api-keys?**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('row').filter({ hasText: 'Default' }).waitFor()

    // What could not be saved stays in its form.
    await page.route('**/v2/api-keys/service', (route) => route.abort())
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('not lost')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('not lost')
    await page.unroute('**/v2/api-keys/service')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('row').filter({ hasText: 'not lost' }).waitFor()
    await page.context().close()
  },
  PATH_MS,
)

/** Every page that asks the interface for what it shows. */
const ASKING = [
  ...['/overview', '/records', '/keys', '/providers', '/policies', '/policies?kind=budgets', '/prompts', '/configs'],
  ...['/mcp-servers', '/prices', '/exports', '/integrations', '/secret-references', '/deployments', '/people'],
  ...['/audit-log', '/health', '/records/00000000-0000-7000-8000-000000000000'],
]

test(
  'on every page a slow interface is waited for, a broken one is said in words, and another try helps',
  async () => {
    const page = await stage.openSignedIn()
    const isAsked = ({ pathname }: URL): boolean =>
      /^\/(v2|admin\/v2|readyz)/.test(pathname) && !pathname.startsWith('/v2/session')
    for (const path of ASKING) {
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(isAsked, async (route) => {
        await held
        await route.fulfill({ status: 500, body: '<h1>not even JSON</h1>' })
      })
      await page.goto(`${stage.url}/console${path}`)
      await page.getByRole('status').filter({ hasText: '…' }).first().waitFor()
      release()
      await page.getByRole('alert').getByText('The gateway answered 500.').first().waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      const again = page.getByRole('alert').getByRole('button', { name: 'Try again' })
      while ((await again.count()) > 0)
        await again
          .first()
          .click({ timeout: 5_000 })
          .catch(() => undefined)
      await page.getByRole('alert').first().waitFor({ state: 'detached' })
    }
    await page.context().close()
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
