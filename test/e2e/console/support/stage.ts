import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { OperatorConfigInput } from '../../../../src/config/schema.ts'
import { temporaryFolder, until } from '../../../../src/store/testing.ts'
import { type RunningGateway, startCommand } from '../../../support/command.ts'
import { copyEmbeddedDatabase } from '../../../support/embedded-database.ts'
import { startChromium } from './start-chromium.ts'

export const ADMIN_KEY = 'admin-key-of-the-console-tests-0123456789'
export const API_KEY = 'api-key-of-the-console-tests-0123456789ab'

/** Installing and starting a browser, and a first start of a gateway, on a busy machine. */
export const STAGE_MS = 600_000
/** A path through several pages. */
export const PATH_MS = 120_000

/** A gateway as people start it, on a data folder whose database is empty, and a browser to look at it. */
export interface Stage {
  /** Where the gateway was started: its data is in `.weir`. */
  readonly folder: string
  /** With the operator's prefix, without a slash at its end. */
  readonly url: string
  readonly browser: Browser
  /** What the pages said that should not have: errors, and what their policy kept from them. */
  readonly complaints: string[]
  /** A page of somebody who is not signed in. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** A page of whoever has the admin key. @param path below `/console` */
  openSignedIn(path?: string, options?: BrowserContextOptions): Promise<Page>
  /** Calls a model. @returns the id of the record, once that is there */
  call(body?: object, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Asks a management route with the admin key. @throws Error for a refusal */
  manage(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

/** @param config that the gateway starts with */
export const openStage = async (config: OperatorConfigInput = {}): Promise<Stage> => {
  const folder = temporaryFolder()
  await Bun.write(join(folder.path, 'weir.config.json'), JSON.stringify(config))
  await copyEmbeddedDatabase(join(folder.path, '.weir'))
  const [gateway, browser] = await Promise.all([startGateway(folder.path), startChromium()])
  const url = `${gateway.url}${config.server?.basePath ?? ''}`
  const complaints: string[] = []

  const open: Stage['open'] = async (options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
    page.on('console', (message) => {
      // Chromium notes each refused request; whether that was right is for the tests to say.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        complaints.push(message.text())
      }
    })
    return page
  }

  const manage: Stage['manage'] = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

  return {
    folder: folder.path,
    url,
    browser,
    complaints,
    open,
    async openSignedIn(path = '/', options) {
      const page = await open(options)
      await page.goto(`${url}/console${path}`)
      await signIn(page)
      return page
    },
    async call(body = {}, headers = {}) {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${API_KEY}`, 'x-gateway-provider': 'mock', ...headers },
        body: JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'Hello' }], ...body }),
      })
      await response.arrayBuffer()
      const id = response.headers.get('x-gateway-request-id') ?? ''
      // A record is there a moment after its call.
      await until(async () => {
        const { data } = await manage('GET', `/v2/logs?id=${id}`)
        return Array.isArray(data) && data.length === 1
      })
      return id
    },
    manage,
    async close() {
      await browser.close()
      await gateway.stop()
      folder.remove()
    },
  }
}

const startGateway = (folder: string): Promise<RunningGateway> =>
  startCommand({ folder, env: { PORT: '0', WEIR_ADMIN_KEY: ADMIN_KEY, WEIR_API_KEY: API_KEY } })

/** Gives the admin key to the page that asks for it. */
export const signIn = async (page: Page): Promise<void> => {
  await page.getByLabel('Admin key').fill(ADMIN_KEY)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Sign in' }).waitFor()
}

/** The title of the page that is shown. */
export const titleOf = (page: Page): Promise<string | null> => page.getByRole('heading', { level: 1 }).textContent()
