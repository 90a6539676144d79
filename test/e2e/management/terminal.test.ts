import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningGateway } from '../../support/command.ts'
import { chat, hasStatus, send, textOf, within } from './support/http.ts'
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

/** What an operator does while a gateway runs. */
const besideSuite = (scene: () => Scene, gateway: () => RunningGateway): void => {
  const { run, createKey, addProvider } = terminal(scene)

  test('a key works at once, is listed masked, and is refused a second after it was revoked', async () => {
    const { id, key } = await createKey()
    expect((await chat(gateway().url, key)).status).toBe(200)
    const list = await run('keys', 'list')
    expect(list).toContain(id)
    expect(list).not.toContain(key)
    expect(await run('keys', 'revoke', id)).toBe(`The key ${id} works no more.\n`)
    await within(SPREAD_MS, () => chat(gateway().url, key), hasStatus(401))
    expect(await run('keys', 'list')).not.toContain(id)
  })

  test('a provider works soon', async () => {
    expect(await addProvider('typed')).toContain('@typed')
    await within(SPREAD_MS, () => chatWith(gateway(), 'typed'), hasStatus(200))
    expect(scene().upstream.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${SECRET}`)
    expect(await run('providers', 'list')).toMatch(/^typed +openai +active +ws-default +typed$/m)
  })

  test('the audit log tells of it and is intact', async () => {
    const times = 'start_time=2020-01-01T00:00:00Z&end_time=2090-01-01T00:00:00Z'
    const { text } = await done(gateway(), 'GET', `/v2/audit-logs?${times}`)
    for (const word of ['api_keys.create', 'api_keys.delete', 'providers.create', '"cli"']) {
      expect(text).toContain(word)
    }
    expect(text).not.toContain(SECRET)
    expect(await run('audit', 'verify')).toBe('The audit log is intact: 1 organisation(s) checked.\n')
  })
}

describe('beside a running gateway on Postgres', () => {
  let scene: Scene
  let gateway: RunningGateway
  beforeAll(async () => {
    scene = await openScene({ store: 'postgres' })
    gateway = await scene.start()
  })
  afterAll(() => scene.close())

  besideSuite(
    () => scene,
    () => gateway,
  )
})

describe('on the embedded database', () => {
  let scene: Scene
  let gateway: RunningGateway
  const { run, createKey, addProvider } = terminal(() => scene)
  const socket = () => join(scene.folder, '.weir', 'manage.sock')

  beforeAll(async () => {
    scene = await openScene({ store: 'pglite' })
    const early = await scene.run(['keys', 'list'])
    expect([early.code, early.stdout]).toEqual([1, ''])
    expect(early.stderr).toContain('weir start')
    gateway = await scene.start()
  })
  afterAll(() => scene.close())

  describe('beside a running gateway', () => {
    besideSuite(
      () => scene,
      () => gateway,
    )

    test('prompts of a folder work soon, and all is listed', async () => {
      const at = join(scene.folder, 'repo/prompts/pp-typed')
      await Bun.write(join(at, 'prompt.json'), '{"name":"Typed","model":"mock","labels":["staging"]}')
      await Bun.write(join(at, 'template.json'), '[{"role":"user","content":"Hi {{name}}"}]')
      expect(await run('prompts', 'push', 'repo')).toContain('1 created, 0 changed')
      const asked = { method: 'POST', token: API_KEY, body: { variables: { name: 'Ada' } } } as const
      const render = () => send(`${gateway.url}/v1/prompts/pp-typed@staging/render`, asked)
      await within(SPREAD_MS, render, hasStatus(200))
      const { data } = (await render()).body
      expect(JSON.parse(await run('prompts', 'render', 'pp-typed', '--var', 'name=Ada'))).toEqual(data)
      expect(await run('prompts', 'pull', 'copy')).toBe('Prompts: 1. Partials: 0.\n')
      expect(await run('list', 'labels')).toContain('staging')
      expect(await run('logs', '--url', gateway.url)).toContain('/v1/chat/completions')
    })

    test('several at once take turns', async () => {
      const made = await Promise.all(Array.from({ length: 3 }, () => createKey()))
      const { text } = await done(gateway, 'GET', '/v2/api-keys?page_size=100')
      for (const { id } of made) expect(text).toContain(id)
    })

    test('what needs a stopped gateway says so', async () => {
      const { code, stderr } = await scene.run(['rotate-master-key'])
      expect([code, stderr.split('\n').length]).toEqual([1, 2])
      expect(stderr).toContain('while the gateway is stopped')
      expect(stderr).toContain(`(process ${gateway.pid})`)
    })
  })

  test('a gateway that was killed leaves a socket, which keeps neither commands nor the next start', async () => {
    expect(((await stat(socket())).mode & 0o777).toString(8)).toBe('600')
    await gateway.stop('SIGKILL')
    expect(existsSync(socket())).toBe(true)
    const { id, key } = await createKey('--expires', '30d')
    await addProvider('stopped')
    expect(await run('audit', 'verify')).toContain('is intact')

    gateway = await scene.start()
    expect((await chat(gateway.url, key)).status).toBe(200)
    expect((await chatWith(gateway, 'stopped')).status).toBe(200)
    const expires = textOf(await done(gateway, 'GET', `/v2/api-keys/${id}`), 'expires_at')
    expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect(await run('keys', 'list')).toContain(id)
    expect(scene.output()).not.toContain(SECRET)
  })

  test('a command that meets the end of a gateway does its work, or says in a line that it did not', async () => {
    const commands = Array.from({ length: 3 }, () => scene.run(['keys', 'create', '--name', 'late', '--json']))
    const [stopped, ...ends] = await Promise.all([gateway.stop(), ...commands])
    expect(stopped.code).toBe(0)
    expect(existsSync(socket())).toBe(false)
    const list = await run('keys', 'list')
    for (const { code, stdout, stderr } of ends) {
      if (code === 0) expect(list).toContain((JSON.parse(stdout) as Made).id)
      else expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^weir.*: .+\n$/)])
    }
  })
})
