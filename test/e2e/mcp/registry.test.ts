import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { isRecord } from '../../../src/core/json/record.ts'
import { type House, openHouse } from './support/house.ts'
import { startToolServer, type ToolServer } from './support/tool-server.ts'

setDefaultTimeout(120_000)

let tools: ToolServer
let house: House
const ids = new Map<string, string>()

beforeAll(async () => {
  tools = startToolServer()
  house = await openHouse([tools.host])
  for (const slug of ['first', 'second', 'third']) ids.set(slug, await house.addServer(slug, tools.url))
})
afterAll(async () => {
  await house?.close()
  await tools?.close()
})

const scopes = ['mcp_servers.list']

const listed = async (key: unknown, query = ''): Promise<Readonly<Record<string, unknown>>> => {
  const response = await fetch(`${house.url}/v0.1/servers${query}`, { headers: { authorization: `Bearer ${key}` } })
  expect(response.status).toBe(200)
  return response.json() as Promise<Readonly<Record<string, unknown>>>
}

const slugsOf = ({ servers }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  (servers as readonly { readonly server: { readonly name: string } }[]).map(({ server }) => server.name.split('/')[1])

test('somebody finds the servers that they may use, page by page, and where they are', async () => {
  const { userId, workspaceId, key } = await house.addPerson({ userName: 'ada@example.com' }, scopes)
  await house.manage('PUT', `/mcp-servers/${ids.get('second')}/user-access?workspace_id=${workspaceId}`, {
    user_access: [{ user_id: userId, enabled: false }],
  })
  const whole = await listed(key)
  expect(slugsOf(whole)).toEqual(['first', 'third'])
  const { servers } = whole as { readonly servers: readonly Record<string, unknown>[] }
  expect(servers[0]).toMatchObject({
    server: {
      title: 'first',
      version: '1.0.0',
      remotes: [{ type: 'streamable-http', url: expect.stringMatching(/\/mcp\/first\/mcp$/) }],
    },
    _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true } },
  })
  const page = await listed(key, '?limit=1')
  const { metadata } = page
  const cursor = isRecord(metadata) ? String(metadata.nextCursor) : ''
  expect([slugsOf(page), slugsOf(await listed(key, `?limit=1&cursor=${cursor}`))]).toEqual([['first'], ['third']])
  expect((await listed(key, `?limit=1&cursor=${cursor}`)).metadata).toEqual({ count: 1 })
  expect(slugsOf(await listed(key, '?search=THI'))).toEqual(['third'])
  expect(slugsOf(await listed(key, '?updated_since=2999-01-01T00:00:00Z'))).toEqual([])
  expect(slugsOf(await listed(key, '?version=latest'))).toEqual(['first', 'third'])
  expect(slugsOf(await listed(key, '?version=7.0.0'))).toEqual([])
})

test('an integration that the workspace lost takes its servers along, and a server that denies all is for those who are named', async () => {
  const { userId, workspaceId, key } = await house.addPerson({ userName: 'bob@example.com' }, scopes)
  await house.manage('PUT', '/mcp-integrations/first/workspaces', {
    workspaces: [],
    global_workspace_access: { enabled: false },
  })
  const access = `/mcp-servers/${ids.get('third')}/user-access?workspace_id=${workspaceId}`
  await house.manage('PUT', access, { default_user_access: 'deny' })
  expect(slugsOf(await listed(key))).toEqual(['second'])
  await house.manage('PUT', access, { user_access: [{ user_id: userId, enabled: true }] })
  expect(slugsOf(await listed(key))).toEqual(['second', 'third'])
})

test('what is no query is told so', async () => {
  const { key } = await house.addPerson({ userName: 'eve@example.com' }, scopes)
  for (const query of ['cursor=nonsense', 'updated_since=2020-99-01T00:00:00Z', 'limit=101', 'limit=0']) {
    const response = await fetch(`${house.url}/v0.1/servers?${query}`, { headers: { authorization: `Bearer ${key}` } })
    expect([query, response.status]).toEqual([query, 400])
    expect(await response.text()).toContain(query.split('=')[0] ?? '')
  }
  expect((await fetch(`${house.url}/v0.1/servers`)).status).toBe(401)
})
