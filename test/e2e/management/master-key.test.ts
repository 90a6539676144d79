import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandEnd, RunningGateway } from '../../support/command.ts'
import { chat, hasStatus, send, textOf, within } from './support/http.ts'
import {
  ADMIN_KEY,
  API_KEY,
  chatWith,
  done,
  MASTER_KEY,
  manage,
  openScene,
  type Scene,
  SLOW_MS,
  SPREAD_MS,
  storeProvider,
} from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

const NEXT_MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const SECRET = 'sk-master-0123456789abcdef0123456789'

/** One line that says what is wrong, no success, and none of the secrets at hand. */
const expectRefusal = ({ code, stdout, stderr }: CommandEnd, says: RegExp): void => {
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).toMatch(says)
  for (const secret of [MASTER_KEY, NEXT_MASTER_KEY, ADMIN_KEY, API_KEY, 'too short'])
    expect(stderr).not.toContain(secret)
}

describe('with a database of the operator', () => {
  let scene: Scene
  let gateway: RunningGateway

  beforeAll(async () => {
    scene = await openScene({ store: 'postgres' })
  })
  afterAll(() => scene.close())

  test('no gateway starts without a master key, or with one that is too short', async () => {
    expectRefusal(await scene.run(['start'], { WEIR_MASTER_KEY: '' }), /WEIR_MASTER_KEY is not set/)
    expectRefusal(await scene.run(['start'], { WEIR_MASTER_KEY: 'too short' }), /WEIR_MASTER_KEY has 9 characters/)
  })

  test('nor with another one than the database was used with, also for a command', async () => {
    gateway = await scene.start()
    await storeProvider(scene, gateway, { slug: 'prod', key: SECRET })
    await within(SPREAD_MS, () => chatWith(gateway, 'prod'), hasStatus(200))
    const wrong = { WEIR_MASTER_KEY: NEXT_MASTER_KEY, NEW_KEY: SECRET }
    expectRefusal(await scene.run(['start'], wrong), /not the one of this database/)
    const add = ['providers', 'add', '--name', 'never', '--provider', 'openai', '--key-env', 'NEW_KEY']
    expectRefusal(await scene.run(add, wrong), /not the one of this database/)
    expect((await manage(gateway, 'GET', '/v2/providers/never')).status).toBe(404)
  })

  test('it is rotated while calls run, without a failed one, and then the old one is worth nothing', async () => {
    const both = { WEIR_MASTER_KEY: NEXT_MASTER_KEY, WEIR_MASTER_KEY_PREVIOUS: MASTER_KEY }
    const { id, key } = (
      await done(gateway, 'POST', '/v2/api-keys/service', { name: 'k', scopes: ['completions.write'] })
    ).body
    const credentials = { grant_type: 'client_credentials', client_id: id, client_secret: key }
    const exchanged = await send(`${gateway.url}/oauth/token`, { method: 'POST', body: credentials })
    const token = textOf(exchanged, 'access_token')

    const next = await scene.start(both)
    let running = true
    let calls = 0
    const failed: string[] = []
    const load = async (target: RunningGateway): Promise<void> => {
      while (running) {
        const reply = await chatWith(target, 'prod')
        calls++
        if (reply.status !== 200) failed.push(reply.text)
      }
    }
    const loads = [gateway, next, next].map(load)
    const { code, stdout, stderr } = await scene.run(['rotate-master-key'], both)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toStartWith('1 data key(s) are now wrapped')
    await storeProvider(scene, next, { slug: 'late', key: SECRET })
    // The one with the old key alone has the data key in memory, so it opens what is new, too.
    await Promise.all([gateway, next].map((one) => within(SPREAD_MS, () => chatWith(one, 'late'), hasStatus(200))))
    expect((await chat(next.url, token)).status).toBe(200)
    running = false
    await Promise.all(loads)
    expect(failed).toEqual([])
    expect(calls).toBeGreaterThan(50)

    expect((await scene.run(['rotate-master-key'], both)).stdout).toStartWith('Nothing was left to do')
    expectRefusal(await scene.run(['start']), /not the one of this database/)
    const alone = await scene.start({ WEIR_MASTER_KEY: NEXT_MASTER_KEY })
    for (const slug of ['prod', 'late']) expect((await chatWith(alone, slug)).status).toBe(200)
    expect(scene.upstream.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${SECRET}`)
    for (const secret of [MASTER_KEY, NEXT_MASTER_KEY, SECRET]) expect(scene.output()).not.toContain(secret)
  })
})

describe('with the embedded default', () => {
  let scene: Scene

  beforeAll(async () => {
    scene = await openScene({ store: 'pglite', hasConfig: false })
  })
  afterAll(() => scene.close())

  test('a key is made, kept for the owner alone, and opens what was stored after a restart', async () => {
    const file = join(scene.folder, '.weir', 'master.key')
    const first = await scene.start()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await Bun.file(file).text()
    expect(Buffer.from(text, 'base64')).toHaveLength(32)
    await storeProvider(scene, first, { slug: 'kept', key: SECRET })
    await within(SPREAD_MS, () => chatWith(first, 'kept'), hasStatus(200))
    expect((await first.stop()).code).toBe(0)

    const second = await scene.start()
    expect((await chatWith(second, 'kept')).status).toBe(200)
    expect((await chat(second.url, API_KEY)).status).toBe(200)
    expect(scene.upstream.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${SECRET}`)
    expect([await Bun.file(file).text(), (await stat(file)).mode & 0o777]).toEqual([text, 0o600])
    await second.stop()

    await rename(file, `${file}.away`)
    expectRefusal(await scene.run(['start']), /master\.key" is missing/)
    await rename(`${file}.away`, file)
    const third = await scene.start()
    expect((await chatWith(third, 'kept')).status).toBe(200)
    await third.stop()
    expect(scene.output()).not.toContain(text.trim())
  })
})
