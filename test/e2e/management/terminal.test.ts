import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { chat, hasStatus, textOf, within } from './support/http.ts'
import { ADMIN_KEY, API_KEY, chatWith, done, openScene, type Scene, SLOW_MS, SPREAD_MS } from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

const SECRET = 'sk-terminal-0123456789abcdef01234567'

interface Made {
  readonly id: string
  readonly key: string
}

/** `weir keys`, `weir providers` and `weir audit`, as an operator types them. */
const terminal = (scene: () => Scene) => {
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await scene().run(args, { PROVIDER_KEY: SECRET })
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
    for (const secret of [SECRET, ADMIN_KEY, API_KEY]) expect(stdout).not.toContain(secret)
    return stdout
  }
  return {
    run,
    async createKey(...flags: readonly string[]): Promise<Made> {
      const made = JSON.parse(await run('keys', 'create', '--name', 'of a terminal', '--json', ...flags)) as Made
      expect(Object.keys(made)).toEqual(['id', 'key', 'object'])
      return made
    },
    addProvider: (slug: string) =>
      run(
        ...['providers', 'add', '--name', slug, '--slug', slug, '--provider', 'openai', '--key-env', 'PROVIDER_KEY'],
        ...['--set', `custom_host=${scene().upstream.url}/v1`],
      ),
  }
}

describe('beside a running gateway on Postgres', () => {
  let scene: Scene
  let gateway: RunningGateway
  const { run, createKey, addProvider } = terminal(() => scene)

  beforeAll(async () => {
    scene = await openScene({ store: 'postgres' })
    gateway = await scene.start()
  })
  afterAll(() => scene.close())

  test('a key works at once, is listed masked, and is refused a second after it was revoked', async () => {
    const { id, key } = await createKey()
    expect((await chat(gateway.url, key)).status).toBe(200)
    const list = await run('keys', 'list')
    expect(list).toContain(id)
    expect(list).not.toContain(key)
    expect(await run('keys', 'revoke', id)).toBe(`The key ${id} works no more.\n`)
    await within(SPREAD_MS, () => chat(gateway.url, key), hasStatus(401))
    expect(await run('keys', 'list')).not.toContain(id)
  })

  test('a provider works within a second', async () => {
    expect(await addProvider('typed')).toContain('@typed')
    await within(SPREAD_MS, () => chatWith(gateway, 'typed'), hasStatus(200))
    expect(scene.upstream.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${SECRET}`)
    expect(await run('providers', 'list')).toMatch(/^typed +openai +active +ws-default +typed$/m)
  })

  test('the audit log tells of it and is intact', async () => {
    const times = 'start_time=2020-01-01T00:00:00Z&end_time=2090-01-01T00:00:00Z'
    const { text } = await done(gateway, 'GET', `/v2/audit-logs?${times}`)
    for (const word of ['api_keys.create', 'api_keys.delete', 'providers.create', '"cli"']) {
      expect(text).toContain(word)
    }
    expect(text).not.toContain(SECRET)
    expect(await run('audit', 'verify')).toBe('The audit log is intact: 1 organisation(s) checked.\n')
  })
})

describe('on a stopped gateway with the embedded database', () => {
  let scene: Scene
  const { run, createKey, addProvider } = terminal(() => scene)

  beforeAll(async () => {
    scene = await openScene({ store: 'pglite' })
  })
  afterAll(() => scene.close())

  test('before the first start there is nothing to work on, and while it runs the folder is taken', async () => {
    const early = await scene.run(['keys', 'list'])
    expect([early.code, early.stdout]).toEqual([1, ''])
    expect(early.stderr).toContain('weir start')
    const gateway = await scene.start()
    const beside = await scene.run(['keys', 'list'])
    expect([beside.code, beside.stdout, beside.stderr.trim().split('\n').length]).toEqual([1, '', 1])
    expect((await gateway.stop()).code).toBe(0)
  })

  test('keys and providers are there at the next start', async () => {
    const kept = await createKey('--kind', 'organisation-service')
    const { id, key } = await createKey('--expires', '30d')
    const revoked = await createKey()
    await run('keys', 'revoke', revoked.id)
    await addProvider('typed')
    expect(await run('providers', 'list', '--json')).toContain('"slug":"typed"')
    expect(await run('audit', 'verify')).toContain('is intact')

    const gateway = await scene.start()
    expect((await chat(gateway.url, key)).status).toBe(200)
    expect((await chat(gateway.url, revoked.key)).status).toBe(401)
    expect((await chatWith(gateway, 'typed')).status).toBe(200)
    expect((await done(gateway, 'GET', `/v2/api-keys/${kept.id}`)).body).toMatchObject({ type: 'organisation-service' })
    const expires = textOf(await done(gateway, 'GET', `/v2/api-keys/${id}`), 'expires_at')
    expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    await gateway.stop()
    for (const made of [kept.key, SECRET]) expect(gateway.stderr() + gateway.stdout()).not.toContain(made)
  })
})
