import { expect, test } from 'bun:test'
import type { RunningGateway } from '../../../support/command.ts'
import { chat, hasStatus, type Reply, send, textOf, within } from './http.ts'
import { type Invited, inviteMember } from './people.ts'
import { ADMIN_KEY, API_KEY, done, manage, SPREAD_MS } from './scene.ts'

interface Made {
  readonly id: string
  readonly key: string
}

/** The whole life of API keys and of the tokens made from them, with plain HTTP. */
export const keyLifeSuite = (gateway: () => RunningGateway): void => {
  let user: Promise<Invited> | undefined
  const userId = async (): Promise<string> => {
    user ??= inviteMember(gateway(), 'life@example.com')
    return (await user).id
  }
  const create = async (kind: 'service' | 'user', scopes: readonly string[]): Promise<Made> => {
    const more = kind === 'user' ? { user_id: await userId() } : {}
    const reply = await done(gateway(), 'POST', `/v2/api-keys/${kind}`, { name: `a ${kind} key`, scopes, ...more })
    expect(reply.body.object).toBe('api-key')
    return { id: textOf(reply, 'id'), key: textOf(reply, 'key') }
  }
  const call = (token: string): Promise<Reply> => chat(gateway().url, token)
  const exchange = (body: Readonly<Record<string, string>>): Promise<Reply> =>
    send(`${gateway().url}/oauth/token`, { method: 'POST', body: { grant_type: 'client_credentials', ...body } })

  test.each(['service', 'user'] as const)(
    'a %s key is shown once, works at once, and is masked from then on',
    async (kind) => {
      const { id, key } = await create(kind, ['completions.write'])
      expect((await call(key)).status).toBe(200)
      const one = await done(gateway(), 'GET', `/v2/api-keys/${id}`)
      const list = await done(gateway(), 'GET', `/v1/api-keys/${kind}`)
      expect(one.body).toMatchObject({
        id,
        type: `workspace-${kind}`,
        status: 'active',
        user_id: kind === 'user' ? await userId() : null,
      })
      expect(list.text).toContain(textOf(one, 'key'))
      expect(textOf(one, 'key')).toMatch(/^.{2,3}\*{5}.{2,3}$/)
      for (const { text } of [one, list]) {
        for (const secret of [key, ADMIN_KEY, API_KEY]) expect(text).not.toContain(secret)
      }
    },
  )

  test('a key with narrowed scopes is refused within a second, and works again when it gets them back', async () => {
    const { id, key } = await create('service', ['completions.write', 'logs.view'])
    expect((await call(key)).status).toBe(200)
    await done(gateway(), 'PUT', `/v2/api-keys/${id}`, { scopes: ['logs.view'] })
    await within(SPREAD_MS, () => call(key), hasStatus(403))
    expect((await call(key)).body).toMatchObject({ status: 'failure', error: { code: '033' } })
    await done(gateway(), 'PUT', `/v2/api-keys/${id}`, { scopes: ['completions.write'] })
    await within(SPREAD_MS, () => call(key), hasStatus(200))
  })

  test('a rotated key has two secrets for a while, and never three', async () => {
    const { id, key } = await create('service', ['completions.write'])
    const rotated = await done(gateway(), 'POST', `/v2/api-keys/${id}/rotate`, { key_transition_period_ms: 1_800_000 })
    const next = textOf(rotated, 'key')
    expect(next).not.toBe(key)
    expect(Date.parse(textOf(rotated, 'key_transition_expires_at'))).toBeGreaterThan(Date.now() + 1_700_000)
    expect([(await call(key)).status, (await call(next)).status]).toEqual([200, 200])
    expect((await manage(gateway(), 'POST', `/v2/api-keys/${id}/rotate`, {})).status).toBeGreaterThanOrEqual(400)
    expect([(await call(key)).status, (await call(next)).status]).toEqual([200, 200])
    await done(gateway(), 'DELETE', `/v2/api-keys/${id}`)
    await within(SPREAD_MS, () => call(key), hasStatus(401))
    await within(SPREAD_MS, () => call(next), hasStatus(401))
  })

  test('a key expires when its time has come', async () => {
    const { id, key } = await create('service', ['completions.write'])
    expect((await call(key)).status).toBe(200)
    const expiresMs = Date.now() + 1_200
    await done(gateway(), 'PUT', `/v2/api-keys/${id}`, { expires_at: new Date(expiresMs).toISOString() })
    await within(1_200 + SPREAD_MS, () => call(key), hasStatus(401))
    expect(Date.now()).toBeGreaterThanOrEqual(expiresMs)
    expect((await call(key)).body).toMatchObject({ status: 'failure', error: { code: '01' } })
    expect((await done(gateway(), 'GET', `/v2/api-keys/${id}`)).body.status).toBe('expired')
  })

  test('a revoked key is unknown within a second, on both planes', async () => {
    const { id, key } = await create('service', ['completions.write', 'providers.list'])
    const list = () => send(`${gateway().url}/v2/providers`, { token: key })
    expect([(await call(key)).status, (await list()).status]).toEqual([200, 200])
    expect((await done(gateway(), 'DELETE', `/v2/api-keys/${id}`)).body).toEqual({})
    await within(SPREAD_MS, () => call(key), hasStatus(401))
    expect((await call(key)).body).toMatchObject({ status: 'failure', error: { code: '03' } })
    expect(await list()).toMatchObject({ status: 401, body: { success: false, error: { code: 'AB05' } } })
    expect(await manage(gateway(), 'GET', `/v2/api-keys/${id}`)).toMatchObject({ status: 404 })
  })

  test('a token from a client-credentials exchange works on both planes for as long as its key', async () => {
    const { id, key } = await create('service', ['completions.write', 'providers.list'])
    const whole = await exchange({ client_id: id, client_secret: key })
    expect(whole).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 900 } })
    expect(whole.headers.get('cache-control')).toBe('no-store')
    const narrow = await exchange({ client_id: id, client_secret: key, scope: 'completions.write' })
    const list = (token: string) => send(`${gateway().url}/v2/providers`, { token })
    const token = textOf(whole, 'access_token')
    const narrowed = textOf(narrow, 'access_token')
    expect([(await call(token)).status, (await list(token)).status]).toEqual([200, 200])
    expect([(await call(narrowed)).status, (await list(narrowed)).status]).toEqual([200, 403])

    expect(await exchange({ client_id: id, client_secret: API_KEY })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
    expect(await exchange({ client_id: id, client_secret: key, scope: 'logs.view' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
    await done(gateway(), 'DELETE', `/v2/api-keys/${id}`)
    await within(SPREAD_MS, () => call(token), hasStatus(401))
    await within(SPREAD_MS, () => list(token), hasStatus(401))
  })

  test('the key of the organisation manages and never calls a model', async () => {
    expect((await call(ADMIN_KEY)).status).toBe(403)
    expect((await manage(gateway(), 'GET', '/admin/v2/integrations')).status).toBe(200)
  })

  test('whoever is removed is refused within a second', async () => {
    const { id, key } = await inviteMember(gateway(), 'leaver@example.com')
    expect((await call(key)).status).toBe(200)
    await done(gateway(), 'DELETE', `/v2/users/${id}`)
    await within(SPREAD_MS, () => call(key), hasStatus(401))
  })
}
