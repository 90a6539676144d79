import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { pythonSuite } from '../clients/support/python.ts'
import { chat, hasStatus, type Reply, send, textOf, within } from '../management/support/http.ts'
import { ADMIN_KEY, done, openScene, type Scene, SLOW_MS, SPREAD_MS } from '../management/support/scene.ts'

setDefaultTimeout(SLOW_MS)

let scene: Scene
let gateway: RunningGateway
beforeAll(async () => {
  scene = await openScene({ store: 'postgres' })
  gateway = await scene.start()
})
afterAll(() => scene.close())

pythonSuite('scim_conformance', () => ({ WEIR_URL: gateway.url, WEIR_ADMIN_KEY: ADMIN_KEY }))

describe('somebody whom the directory provides', () => {
  const scim = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Reply> =>
    send(`${gateway.url}/scim/v2${path}`, { method, token: ADMIN_KEY, ...(body && { body }) })

  /** A member of the default workspace by a group, with a key that works. */
  const hire = async (userName: string): Promise<{ readonly id: string; readonly key: string }> => {
    const id = textOf(await scim('POST', '/Users', { userName }), 'id')
    const group = textOf(await scim('POST', '/Groups', { displayName: userName, members: [{ value: id }] }), 'id')
    const mapping = { workspace_id: 'ws-default', role: 'member', scim_group_id: group }
    await done(gateway, 'POST', '/v2/scim/workspaces', mapping)
    const fields = { name: userName, user_id: id, scopes: ['completions.write'] }
    const key = textOf(await done(gateway, 'POST', '/v2/api-keys/user', fields), 'key')
    expect((await chat(gateway.url, key)).status).toBe(200)
    return { id, key }
  }

  test.each<[string, (id: string) => Promise<Reply>]>([
    [
      'set inactive',
      (id) => scim('PATCH', `/Users/${id}`, { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }),
    ],
    ['removed', (id) => scim('DELETE', `/Users/${id}`)],
  ])('%s, is refused within a second', async (how, end) => {
    const { id, key } = await hire(`${how.replace(' ', '.')}@ours.example`)
    expect((await end(id)).status).toBeLessThan(300)
    await within(SPREAD_MS, () => chat(gateway.url, key), hasStatus(401))
  })

  test('an unknown path and a wrong method are refused in SCIM, and nowhere else', async () => {
    for (const [method, path, status] of [
      ['GET', '/Nothing', 404],
      ['DELETE', '/Schemas', 405],
    ] as const) {
      const answer = await scim(method, path)
      expect([answer.status, answer.body.status]).toEqual([status, String(status)])
      expect(answer.headers.get('content-type')).toBe('application/scim+json')
    }
    const elsewhere = await send(`${gateway.url}/scim/v3`)
    expect([elsewhere.status, elsewhere.body.ok]).toEqual([404, false])
  })
})
