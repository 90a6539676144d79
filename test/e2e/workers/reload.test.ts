import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { RunningGateway } from '../../support/command.ts'
import { CONFIG, call, isAlive, jsonLines, until, type WorkerPlace, workerPlace, workersOf } from './support/gateway.ts'
import { callOn, callOnce } from './support/raw-client.ts'

setDefaultTimeout(180_000)

let place: WorkerPlace
let gateway: RunningGateway
beforeAll(async () => {
  place = await workerPlace()
  gateway = await place.start()
})
afterAll(() => place.remove())

const messages = (message: string): readonly Record<string, unknown>[] =>
  jsonLines(gateway.stderr()).filter((line) => line.message === message)

const REPLACED = 'the workers were replaced'
const REFUSED = 'the workers cannot be replaced; those that are left go on'

/** Sends SIGHUP and waits for what the supervisor says of it. */
const hangUp = async (message: string): Promise<Record<string, unknown>> => {
  const before = messages(message).length
  gateway.signal('SIGHUP')
  await until(message, () => messages(message).length > before, 90_000)
  return messages(message).at(-1) ?? {}
}

describe('SIGHUP', () => {
  test('puts new workers in the place of the old ones, and no call is lost on the way: not of open connections, not of new ones, not a stream', async () => {
    const old = workersOf(gateway)
    const stream = call(gateway.url, { model: 'mock:tokens=60,interval=100', stream: true }).then((answer) =>
      answer.text(),
    )
    let goesOn = true
    const clients = [...Array(4).fill(true), ...Array(12).fill(false)].map((keeps: boolean) =>
      callOn(gateway.url, keeps, () => goesOn),
    )
    await Bun.sleep(500)
    await hangUp(REPLACED)
    const fresh = workersOf(gateway).filter((pid) => !old.includes(pid))
    expect(fresh).toHaveLength(2)
    await until('the old workers have ended', () => !old.some(isAlive), 90_000)
    goesOn = false
    const tallies = await Promise.all(clients)
    expect(tallies.flatMap(({ lost }) => lost)).toEqual([])
    for (const { answered } of tallies) expect(answered).toBeGreaterThan(0)
    expect(await stream).toEndWith('data: [DONE]\n\n')
    expect(workersOf(gateway).toSorted()).toEqual(fresh.toSorted())
    expect(messages('a worker has died')).toEqual([])
    const answer = await call(gateway.url)
    expect(answer.status).toBe(200)
  })

  test('keeps new connections from the old workers, for as long as their last calls take', async () => {
    const old = workersOf(gateway)
    const streams = Array.from({ length: 12 }, () =>
      call(gateway.url, { model: 'mock:tokens=150,interval=100', stream: true }).then((answer) => answer.text()),
    )
    await Bun.sleep(500)
    await hangUp(REPLACED)
    // They close each connection with its next answer by then.
    await Bun.sleep(2_000)
    expect(old.filter(isAlive)).toEqual([...old])
    for (let round = 0; round < 40; round++) expect(await callOnce(gateway.url)).toEqual({ status: 200, closes: false })
    for (const stream of await Promise.all(streams)) expect(stream).toEndWith('data: [DONE]\n\n')
    await until('the old workers have ended', () => !old.some(isAlive), 90_000)
  })

  test('with a config that cannot run keeps the workers, and says why; a mended one is taken', async () => {
    const file = join(place.folder, 'weir.config.yaml')
    const workers = workersOf(gateway)
    await Bun.write(file, 'nonsense: 1\n')
    const refused = await hangUp(REFUSED)
    expect(refused).toMatchObject({
      level: 'error',
      worker: 0,
      error: expect.stringContaining('nonsense: unknown key'),
    })
    expect(workersOf(gateway)).toEqual(workers)
    expect((await call(gateway.url)).status).toBe(200)
    await Bun.write(file, CONFIG)
    await hangUp(REPLACED)
    expect(workersOf(gateway).filter((pid) => !workers.includes(pid))).toHaveLength(2)
  })

  test('with a plugin that cannot be set up keeps the workers', async () => {
    const workers = workersOf(gateway)
    await Bun.write(
      join(place.folder, 'broken.ts'),
      `import { definePlugin, t } from 'weir/kit'
export default definePlugin({ name: 'broken', config: t.Object({}), setup: () => { throw new Error('no luck') } })
`,
    )
    await Bun.write(join(place.folder, 'weir.config.yaml'), 'plugins: [defaults, mock, ./broken.ts]\n')
    const refused = await hangUp(REFUSED)
    expect(refused.error).toMatch(/^WorkerLost: worker 1 cannot start/)
    expect((await call(gateway.url)).status).toBe(200)
    await until('the old workers are left alone', () => workersOf(gateway).length === 2)
    expect(workersOf(gateway).every((pid) => workers.includes(pid))).toBe(true)
    await Bun.write(join(place.folder, 'weir.config.yaml'), CONFIG)
    await hangUp(REPLACED)
  })

  test('leaves a gateway that ends with 0', async () => {
    const { code } = await gateway.stop()
    expect(code).toBe(0)
    expect(workersOf(gateway).filter(isAlive)).toEqual([])
  })
})
