import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { openBrowser } from '../sign-in/support/browser.ts'
import { type GuardedServer, startGuardedServer } from './support/guarded-server.ts'
import { API_KEY, type House, openHouse, type Person } from './support/house.ts'
import { startToolServer, type ToolServer } from './support/tool-server.ts'

setDefaultTimeout(120_000)

let tools: ToolServer
let guarded: GuardedServer
let house: House
let ann: Person
let bob: Person
let serverId: string

beforeAll(async () => {
  tools = startToolServer()
  guarded = await startGuardedServer(tools)
  house = await openHouse(guarded.hosts, async (url) => ({ server: { publicUrl: url } }))
  serverId = await house.addServer('guarded', guarded.url, { auth_type: 'oauth_auto' })
  const scopes = ['mcp.invoke', 'mcp_servers.read']
  ann = await house.addPerson({ userName: 'ann@example.com' }, scopes)
  bob = await house.addPerson({ userName: 'bob@example.com' }, scopes)
})
afterAll(async () => {
  await house?.close()
  await guarded?.close()
  await tools?.close()
})

const echo = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hello' } } }
const callAs = (key: string) => house.post('guarded', echo, { authorization: `Bearer ${key}` })

/** The address that somebody who has not agreed is told. */
const addressFor = async ({ key }: Person): Promise<string> => {
  const { status, text, headers } = await callAs(key)
  expect([status, headers.get('www-authenticate')]).toEqual([401, null])
  const { id, error } = JSON.parse(text) as { id: number; error: { code: number; data: Record<string, string> } }
  expect([id, error.code, error.data.type]).toEqual([7, -32000, 'oauth_required'])
  return error.data.authorizationUrl ?? ''
}

/** Opens an address as a browser does, and says that it is who is meant. */
const open = async (address: string, browser = openBrowser()) => {
  const asked = await browser.send(address, { headers: { accept: 'text/html' } })
  const text = await asked.text()
  const [, next] = /<a href="([^"]*confirmed=yes)">/.exec(text) ?? []
  if (next === undefined) return { status: asked.status, text, first: text }
  const { response } = await browser.go(new URL(next.replaceAll('&amp;', '&'), address).href)
  return { status: response?.status ?? 0, text: (await response?.text()) ?? '', first: text }
}

const connect = async (person: Person, as: string): Promise<void> => {
  guarded.next = as
  const { status, text, first } = await open(await addressFor(person))
  expect(first).toContain('wants to use the MCP server “guarded”')
  expect([status, text]).toEqual([200, expect.stringContaining('may be used now')])
}

test('each user agrees once, at the server behind, which then knows who calls', async () => {
  await connect(ann, 'ann-there')
  const answered = await callAs(ann.key)
  expect([answered.status, answered.text]).toEqual([200, expect.stringContaining('hello')])
  expect(guarded.callers.at(-1)).toBe('ann-there')
  expect(answered.text).not.toContain('Bearer')

  await connect(bob, 'bob-there')
  expect((await callAs(bob.key)).status).toBe(200)
  expect(guarded.callers.at(-1)).toBe('bob-there')
  await callAs(ann.key)
  expect(guarded.callers.at(-1)).toBe('ann-there')
  // One registration for all of them.
  expect(guarded.registered()).toBe(1)
})

test('a key without a user is told that it cannot be used', async () => {
  const { text } = await callAs(API_KEY)
  expect(text).toContain('needs a login of each user')
})

test('connections are listed, and forgotten', async () => {
  const { data } = (await house.manage('GET', `/mcp-servers/${serverId}/connections`)) as { data: object[] }
  expect(data).toMatchObject([
    { user_id: ann.userId, connected: true },
    { user_id: bob.userId, connected: true },
  ])
  expect(JSON.stringify(data)).not.toContain('token')
  await house.manage('DELETE', `/mcp-servers/${serverId}/connections?user_id=${bob.userId}`)
  await house.eventually(async () => (await callAs(bob.key)).status === 401)
  expect((await callAs(ann.key)).status).toBe(200)
})

test('tokens that end, or are taken back, are asked for anew, once for all calls', async () => {
  guarded.seconds = 1
  await connect(bob, 'bob-again')
  guarded.seconds = 3_600
  const before = guarded.grants.length
  const all = await Promise.all(Array.from({ length: 8 }, () => callAs(bob.key)))
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  expect(guarded.grants.length - before).toBe(1)
  expect(guarded.callers.at(-1)).toBe('bob-again')

  guarded.forget()
  expect((await callAs(bob.key)).status).toBe(200)
  expect(guarded.grants.length - before).toBe(2)
})

test('what a browser brings back from elsewhere, later or twice is nothing', async () => {
  const cara = await house.addPerson({ userName: 'cara@example.com' }, ['mcp.invoke'])
  const address = await addressFor(cara)
  const refused = async (url: string, browser = openBrowser()): Promise<unknown> => {
    const response = await browser.send(url, { headers: { accept: 'text/html' } })
    return [response.status, (await response.text()).includes('Begin again')]
  }
  expect(await refused(`${house.url}/oauth/mcp/start`)).toEqual([400, true])
  expect(await refused(`${house.url}/oauth/mcp/start?ticket=v1.1.a.b`)).toEqual([400, true])
  expect(await refused(`${house.url}/oauth/mcp/callback?code=a&state=b`)).toEqual([400, true])

  // Somebody is made to come back with the code of another.
  const browser = openBrowser()
  guarded.next = 'mallory'
  await browser.go(`${address}&confirmed=yes`, ({ pathname }) => pathname.endsWith('/callback'))
  const forged = await browser.send(`${house.url}/oauth/mcp/callback?code=stolen&state=other`)
  expect([forged.status, await forged.text()]).toEqual([503, expect.not.stringContaining('stolen')])
  expect((await callAs(cara.key)).status).toBe(401)

  // Who says no, has not agreed.
  guarded.next = undefined
  const { status } = await open(address)
  expect(status).toBe(503)
  expect((await callAs(cara.key)).status).toBe(401)
})
