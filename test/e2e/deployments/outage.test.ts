import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolder } from '../../../src/store/testing.ts'
import { type RunningGateway, spawnCommand, startCommand } from '../../support/command.ts'
import { copyEmbeddedDatabase } from '../../support/embedded-database.ts'

const ADMIN_KEY = 'the-admin-key-of-the-control-plane-0123456789'
const PROVIDER_KEY = 'sk-of-the-provider-that-both-sites-use'
const TEST_MS = 240_000

const folder = temporaryFolder()
const running: { stop(signal?: NodeJS.Signals): Promise<unknown> }[] = []

/** A provider that knows one key, and says which calls it was asked. */
const asked: string[] = []
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    if (request.headers.get('authorization') !== `Bearer ${PROVIDER_KEY}`) return new Response('no', { status: 401 })
    const { messages } = (await request.json()) as { messages: { content: string }[] }
    asked.push(messages[0]?.content ?? '')
    return Response.json({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-5-mini' },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
    })
  },
})

afterAll(async () => {
  await Promise.all(running.map((each) => each.stop('SIGKILL')))
  await provider.stop(true)
  folder.remove()
})

const freePort = async (): Promise<number> => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port = 0 } = server
  await server.stop(true)
  return port
}

const start = async (name: string, env: Record<string, string>): Promise<RunningGateway> => {
  const gateway = await startCommand({
    folder: folder.path,
    env: { WEIR_DATA_DIR: join(folder.path, name), WEIR_TRUSTED_HOSTS: `127.0.0.1:${provider.port}`, ...env },
  })
  running.push(gateway)
  return gateway
}

const send = async (url: string, method: string, path: string, token: string, body?: unknown) => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, text, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}

/** Waits until something holds. */
const eventually = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const untilMs = performance.now() + 60_000; !(await holds()); await Bun.sleep(20)) {
    if (performance.now() > untilMs) throw new Error('it did not come true in a minute')
  }
}

test(
  'a second site serves while the first is down, also after its own restarts, and all comes together again',
  async () => {
    const port = await freePort()
    await copyEmbeddedDatabase(join(folder.path, 'control'))
    await copyEmbeddedDatabase(join(folder.path, 'data'))
    const controlEnv = { PORT: String(port), WEIR_ADMIN_KEY: ADMIN_KEY }
    let control = await start('control', controlEnv)
    const manage = async (method: string, path: string, body?: unknown) => {
      const answer = await send(control.url, method, path, ADMIN_KEY, body)
      expect({ path, status: answer.status, text: answer.text }).toMatchObject({ path, status: 200 })
      return answer.body
    }
    await manage('POST', '/v2/virtual-keys', {
      ...{ name: 'Main', slug: 'main', provider: 'openai', key: PROVIDER_KEY },
      custom_host: `http://127.0.0.1:${provider.port}/v1`,
    })
    const makeKey = async (name: string) =>
      (await manage('POST', '/v2/api-keys/service', {
        name,
        scopes: ['completions.write', 'virtual_keys.create', 'virtual_keys.list'],
      })) as {
        id: string
        key: string
      }
    const [kept, revoked] = [await makeKey('kept'), await makeKey('revoked')]
    const { client_auth } = await manage('POST', '/v2/deployments', {
      name: 'Second site',
      auth_settings: { allow_all_workspaces: 1 },
    })

    const dataEnv = { PORT: '0', WEIR_CONTROL_PLANE: control.url, WEIR_CONTROL_PLANE_CREDENTIALS: String(client_auth) }
    let data = await start('data', dataEnv)
    const calls: string[] = []
    const call = async (key: string): Promise<number> => {
      const content = `call ${calls.length + 1}`
      const { status } = await send(data.url, 'POST', '/v1/chat/completions', key, {
        model: '@main/gpt-5-mini',
        messages: [{ role: 'user', content }],
      })
      if (status === 200) calls.push(content)
      return status
    }
    expect([await call(kept.key), await call(revoked.key)]).toEqual([200, 200])

    // It is not managed.
    const refused = await send(data.url, 'POST', '/v2/virtual-keys', kept.key, {
      ...{ name: 'Other', provider: 'openai', key: 'sk-other' },
    })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain(control.url)
    const listed = await send(data.url, 'GET', '/v2/virtual-keys', kept.key)
    expect([listed.status, listed.text.includes('"main"')]).toEqual([200, true])
    expect(await call(ADMIN_KEY)).toBe(401)
    expect(await send(control.url, 'GET', '/v2/deployments', ADMIN_KEY)).toMatchObject({
      body: { data: [{ connection_status: 'healthy' }] },
    })

    // It shows itself, and nothing else; its stream is for nobody else.
    const asDataPlane = async (path: string, credentials: unknown, method = 'GET') => {
      const headers = { authorization: `Basic ${credentials}` }
      const answer = await fetch(`${control.url}${path}`, { method, headers })
      return { status: answer.status, text: await answer.text() }
    }
    const self = await asDataPlane('/v2/deployments/self', client_auth)
    expect([self.status, self.text.includes('"name":"Second site"')]).toEqual([200, true])
    expect(self.text).not.toContain(String(client_auth))
    for (const path of [`/v2/deployments/${kept.id}`, '/v2/deployments/self/ping']) {
      expect([path, (await asDataPlane(path, client_auth)).status]).not.toEqual([path, 200])
    }
    expect((await asDataPlane('/v2/deployments', client_auth)).status).toBe(403)
    expect((await asDataPlane('/v2/deployments/self', btoa('dp_nobody:wrong'))).status).toBe(401)
    const stream = { instance: crypto.randomUUID(), version: '0', schema: 'x', tables: ['api_keys'], have: {} }
    expect((await send(control.url, 'POST', '/v2/deployments/self/changes', ADMIN_KEY, stream)).status).toBe(403)
    expect((await send(control.url, 'POST', '/v2/deployments/self/records', ADMIN_KEY, { spool: 's' })).status).toBe(
      403,
    )

    // The first site is gone.
    await control.stop('SIGKILL')
    for (let restarts = 0; restarts <= 2; restarts++) {
      if (restarts > 0) {
        await data.stop(restarts === 1 ? 'SIGTERM' : 'SIGKILL')
        data = await start('data', dataEnv)
      }
      const statuses = await Promise.all(Array.from({ length: 10 }, () => call(kept.key)))
      expect(statuses).toEqual(statuses.map(() => 200))
      const ready = await fetch(`${data.url}/readyz`)
      expect(ready.status).toBe(200)
      expect(await ready.json()).toMatchObject({ controlPlane: { ok: false, configured: true } })
    }
    expect(await call(revoked.key)).toBe(200)

    // A key is revoked while nobody can tell the second site.
    const command = spawnCommand({
      folder: folder.path,
      args: ['keys', 'revoke', revoked.id],
      env: { WEIR_DATA_DIR: join(folder.path, 'control') },
    })
    expect(await command.exited).toMatchObject({ code: 0 })
    expect(await call(revoked.key)).toBe(200)
    control = await start('control', controlEnv)
    const returnedAtMs = performance.now()
    await eventually(async () => (await call(revoked.key)) === 401)
    const refusedAfterMs = performance.now() - returnedAtMs
    console.log(`a revoked key ended ${Math.round(refusedAfterMs)} ms after the return of the control plane`)
    // A second on a machine that has time (314 ms measured alone, 1,197 beside other tests): the line above tells.
    expect(refusedAfterMs).toBeLessThan(10_000)
    expect(await call(kept.key)).toBe(200)

    // What was called meanwhile is told once: every call that was answered, and the refused ones are nobody's.
    const recordIds = async () => {
      const { body } = await send(control.url, 'GET', '/v2/logs?limit=500', ADMIN_KEY)
      if (!Array.isArray(body.data)) throw new Error(JSON.stringify(body))
      return (body.data as { id: string }[]).map(({ id }) => id)
    }
    await eventually(async () => (await recordIds()).length >= calls.length)
    await data.stop('SIGTERM')
    const ids = await recordIds()
    expect([ids.length, new Set(ids).size]).toEqual([calls.length, calls.length])
    expect(asked.toSorted()).toEqual(calls.toSorted())
  },
  TEST_MS,
)
