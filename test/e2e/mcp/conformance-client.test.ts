import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../src/store/testing.ts'
import { createProcessGroup } from '../../support/start-process.ts'
import { openBrowser } from '../sign-in/support/browser.ts'
import { type House, openHouse, type Person } from './support/house.ts'

setDefaultTimeout(120_000)

let house: House
let ann: Person
/** Where the suite's client tells which server it is to use. */
let control: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  house = await openHouse(['localhost'], async (url) => ({ server: { publicUrl: url } }))
  ann = await house.addPerson({ userName: 'ann@example.com' }, ['mcp.invoke'])
  control = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { url, context } = (await request.json()) as { url: string; context: Record<string, string> }
      return use(url, context).then(
        (said) => new Response(said),
        (thrown: unknown) => new Response(String(thrown), { status: 500 }),
      )
    },
  })
})
afterAll(async () => {
  await control?.stop(true)
  await house?.close()
})

const call = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

/** Uses a server as a user of the gateway does: agrees where that is wanted, then lists and calls its tools. */
const use = async (url: string, { client_id: id, client_secret: secret }: Record<string, string>): Promise<string> => {
  const slug = `server-${crypto.randomUUID().slice(0, 8)}`
  const known = id === undefined ? {} : { oauth_metadata: { client_id: id, client_secret: secret } }
  await house.addServer(slug, url, { auth_type: 'oauth_auto', configurations: known })
  const ask = (message: object) => house.post(slug, message, { authorization: `Bearer ${ann.key}` })
  /** Until nobody has to agree to anything any more. */
  const asked = async (message: object) => {
    for (let round = 0; round < 3; round++) {
      const answer = await ask(message)
      const [, address] = /"authorizationUrl":"([^"]+)"/.exec(answer.text) ?? []
      if (address === undefined) return answer
      const { response } = await openBrowser().go(`${address}&confirmed=yes`)
      if (response?.status !== 200) throw new Error(`${response?.status}: ${await response?.text()}`)
    }
    throw new Error('there is no end of agreeing')
  }
  const { text } = await asked(call('tools/list'))
  const [, tool] = /"name":"([^"]+)"/.exec(text) ?? []
  if (tool !== undefined) await asked(call('tools/call', { name: tool, arguments: {} }))
  return text
}

const SUITE = join(import.meta.dir, '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const CLIENT = join(import.meta.dir, 'support/conformance-client.ts')
const DEADLINE_MS = 60_000

test.each([
  ...['metadata-default', 'metadata-var1', 'metadata-var2', 'metadata-var3', 'pre-registration'],
  ...['scope-from-www-authenticate', 'scope-from-scopes-supported', 'scope-omitted-when-undefined', 'scope-step-up'],
  ...['token-endpoint-auth-basic', 'token-endpoint-auth-post', 'token-endpoint-auth-none', 'scope-retry-limit'],
  ...['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback', 'resource-mismatch'],
])('as a client of authorization servers: %s', async (scenario) => {
  const folder = temporaryFolder()
  const group = createProcessGroup()
  try {
    const client = `${process.execPath} ${CLIENT} http://127.0.0.1:${control.port}/`
    const command = [process.execPath, SUITE, 'client', '--scenario', `auth/${scenario}`, '--command', client]
    const said = await group
      .run({
        name: 'the conformance suite',
        command: [...command, '--output-dir', folder.path],
        folder: folder.path,
        deadlineMs: DEADLINE_MS,
      })
      .catch(String)
    const names = await readdir(folder.path, { recursive: true })
    const file = names.find((name) => name.endsWith('checks.json'))
    if (file === undefined) throw new Error(`the suite says nothing: ${said}`)
    const checks = (await Bun.file(join(folder.path, file)).json()) as readonly Record<string, string>[]
    const failed = checks.filter(({ status }) => status === 'FAILURE')
    expect(failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`)).toEqual([])
    expect(checks.some(({ status }) => status === 'SUCCESS')).toBe(true)
  } finally {
    await group.close()
    folder.remove()
  }
})
