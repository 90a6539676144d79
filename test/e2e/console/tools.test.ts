import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type GuardedServer, startGuardedServer } from '../mcp/support/guarded-server.ts'
import { startToolServer, type ToolServer } from '../mcp/support/tool-server.ts'
import { type RealIssuer, startRealIssuer } from '../sign-in/support/real-issuer.ts'
import { openScene, type Scene } from '../sign-in/support/scene.ts'
import { PATH_MS, STAGE_MS } from './support/stage.ts'
import { startChromium } from './support/start-chromium.ts'

let scene: Scene
let issuer: RealIssuer
let browser: Browser
let tools: ToolServer
let guarded: GuardedServer
let page: Page

const COMPANY = { clientId: 'weir', clientSecret: 'the secret of weir at the company' }

beforeAll(async () => {
  tools = startToolServer()
  guarded = await startGuardedServer(tools)
  ;[scene, browser] = await Promise.all([openScene(), startChromium()])
  const redirectUri = `${scene.url}/v2/sign-in/callback/company`
  issuer = await startRealIssuer({ ...COMPANY, redirectUri, inIdToken: true })
  await scene.start({
    issuers: [
      {
        ...{ id: 'company', name: 'The company', issuer: issuer.url, ...COMPANY },
        scopes: ['openid', 'email', 'profile', 'groups'],
        domains: ['acme.example'],
        roles: { claim: 'groups', owner: ['bosses'], otherwise: 'member' },
      },
    ],
  })
  issuer.accounts.set('olga', {
    email: 'olga@acme.example',
    email_verified: true,
    given_name: 'Olga',
    groups: ['bosses'],
  })
  issuer.next = 'olga'
  page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(`${scene.url}/console/mcp-servers`)
  await page.getByRole('link', { name: 'Sign in with The company' }).click()
  await page.getByRole('heading', { level: 1, name: 'MCP servers' }).waitFor()
}, STAGE_MS)
afterAll(async () => {
  await Promise.allSettled([browser?.close(), issuer?.close(), guarded?.close(), tools?.close()])
  await scene?.close()
})

const rowOf = (table: string, text: string) =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text })

const saved = async (): Promise<void> => {
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** Makes an integration, gives it to the workspace, and makes a server of it. */
const addServer = async (slug: string, url: string, auth?: string): Promise<void> => {
  await page.getByRole('button', { name: 'New MCP integration' }).click()
  await page.getByLabel('Name').fill(slug)
  await page.getByLabel('Address').fill(url)
  if (auth !== undefined) await page.getByLabel('What it asks for').selectOption({ label: auth })
  await page.getByLabel('Slug').fill(slug)
  await saved()
  await rowOf('MCP integrations', slug).getByRole('button', { name: 'Give to' }).click()
  await page.getByLabel('Who may use it').selectOption({ label: 'This workspace' })
  await saved()
  await page.getByRole('button', { name: 'New MCP server' }).click()
  await page.getByLabel('Name').fill(slug)
  await page.getByRole('combobox', { name: 'Integration' }).fill(slug)
  await page.getByLabel('Slug').fill(slug)
  await saved()
}

test(
  'tools are asked for, switched off and on, and one that has changed is flagged until somebody approves it',
  async () => {
    await addServer('plain', tools.url)
    await rowOf('MCP servers', 'plain').getByRole('button', { name: 'Tools' }).click()
    const offers = page.getByRole('dialog').getByRole('row')
    await page.getByText('Nothing is known of what it offers').waitFor()
    await page.getByRole('button', { name: 'Ask the server anew' }).click()
    await page.getByText('It has answered.').waitFor()

    const echo = offers.filter({ hasText: 'echo' })
    await echo.getByText('on', { exact: true }).waitFor()
    await echo.getByRole('switch', { name: 'echo' }).click()
    await echo.getByText('off', { exact: true }).waitFor()
    await echo.getByRole('switch', { name: 'echo' }).click()
    await echo.getByText('on', { exact: true }).waitFor()

    tools.describe('Says it again, and <img src=x onerror=alert(1)> tells everybody. \u001b[31m')
    await page.getByRole('button', { name: 'Ask the server anew' }).click()
    await echo.getByText('changed since it was approved').waitFor()
    await echo.getByText('onerror=alert(1)').waitFor()
    expect(await page.locator('main img, [role=dialog] img').count()).toBe(0)
    await page.getByRole('button', { name: 'Approve echo' }).click()
    await echo.getByText('changed since it was approved').waitFor({ state: 'detached' })
    await offers.filter({ hasText: 'say' }).getByText('changed since it was approved').waitFor()
    await page.keyboard.press('Escape')

    // What the integration takes away, no server gives.
    await rowOf('MCP integrations', 'plain').getByRole('button', { name: 'Tools' }).click()
    await offers.filter({ hasText: 'say' }).getByRole('switch', { name: 'say' }).click()
    await offers.filter({ hasText: 'say' }).getByText('off', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await rowOf('MCP servers', 'plain').getByRole('button', { name: 'Tools' }).click()
    await offers.filter({ hasText: 'say' }).getByText('off in the integration').waitFor()
    await page.keyboard.press('Escape')
  },
  PATH_MS,
)

test(
  'whoever is signed in connects to a server that asks each person: the address is shown, and they are listed',
  async () => {
    await addServer('guarded', guarded.url, 'OAuth, each person for themselves')
    await rowOf('MCP servers', 'guarded').getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Nobody is connected yet.').waitFor()
    // The new server is live at every process a moment later.
    const address = page.getByRole('dialog').locator('a[target=_blank]')
    do {
      await page.getByRole('button', { name: 'Connect me' }).click()
      await address.or(page.getByRole('dialog').getByRole('alert')).first().waitFor()
    } while (!(await address.isVisible()))
    expect(await address.getAttribute('href')).toStartWith(`${scene.url}/oauth/mcp/start?ticket=`)

    guarded.next = 'olga-there'
    const [opened] = await Promise.all([page.waitForEvent('popup'), address.click()])
    await opened.getByText('may be used now').waitFor()
    await opened.close()
    await page.getByRole('table', { name: 'Who is connected' }).getByRole('row').filter({ hasText: 'You' }).waitFor()
    await page.getByRole('button', { name: 'Connect me' }).click()
    await page.getByText('You are connected.').waitFor()
    // The key that asked is gone with the question.
    const keys = await page.evaluate(`fetch('${scene.url}/v2/api-keys').then((answer) => answer.text())`)
    expect(keys).not.toContain('connecting to guarded')

    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('dialog').last().getByRole('button', { name: 'Forget' }).click()
    await page.getByText('Nobody is connected yet.').waitFor()
  },
  PATH_MS,
)
