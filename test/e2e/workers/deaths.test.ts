import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { call, isAlive, jsonLines, until, type WorkerPlace, workerPlace, workersOf } from './support/gateway.ts'

setDefaultTimeout(240_000)

let place: WorkerPlace
beforeAll(async () => {
  place = await workerPlace()
})
afterAll(() => place.remove())

const AGAIN = 'a worker was started again'

/** Process ids of what was started again, in their order. */
const startedAgain = (stderr: string): readonly number[] =>
  jsonLines(stderr)
    .filter(({ message }) => message === AGAIN)
    .map(({ pid }) => Number(pid))

test('a worker that dies is started again, while the other serves', async () => {
  const gateway = await place.start()
  const [first = 0, second = 0] = workersOf(gateway)
  process.kill(second, 'SIGKILL')
  await gateway.seen(/a worker has died/)
  for (let round = 0; round < 10; round++) expect((await call(gateway.url)).status).toBe(200)
  await until('another is there', () => startedAgain(gateway.stderr()).length === 1)
  expect(workersOf(gateway)).toHaveLength(2)
  expect(workersOf(gateway)).toContain(first)
  expect(jsonLines(gateway.stderr()).find(({ message }) => message === 'a worker has died')).toMatchObject({
    level: 'error',
    pid: second,
    signal: 'SIGKILL',
  })
  expect((await gateway.stop()).code).toBe(0)
})

test('a worker that gets SIGTERM by itself ends its calls, and another takes its place', async () => {
  const gateway = await place.start()
  const calls = Array.from({ length: 8 }, () => call(gateway.url, { model: 'mock:latency=1500' }))
  await Bun.sleep(700)
  process.kill(workersOf(gateway)[0] ?? 0, 'SIGTERM')
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
  await until('another is there', () => startedAgain(gateway.stderr()).length === 1)
  expect((await gateway.stop()).code).toBe(0)
})

test('one that dies at once again and again ends the whole, with an error that says so', async () => {
  const gateway = await place.start()
  let last = workersOf(gateway)[0] ?? 0
  for (let death = 1; death <= 5; death++) {
    process.kill(last, 'SIGKILL')
    await until('it is started again', () => startedAgain(gateway.stderr()).length === death)
    last = startedAgain(gateway.stderr()).at(-1) ?? 0
  }
  process.kill(last, 'SIGKILL')
  const { code, stderr } = await gateway.exited
  expect(code).toBe(1)
  expect(stderr).toMatch(/^weir: worker [12] dies at once again and again: its last end was SIGKILL$/m)
})

test('a start that fails is told once, and leaves no worker behind', async () => {
  const failing = place.start({ env: { WEIR_MASTER_KEY: 'too-short' } })
  const said = await failing.then(
    () => '',
    (thrown: unknown) => String(thrown),
  )
  expect(said).toContain('ended with 1')
  expect(said.match(/^weir: WEIR_MASTER_KEY has 9 characters/gm)).toHaveLength(1)
  expect(said).toMatch(/^weir: worker 1 cannot start: its end was exit code 1$/m)
})

test('a supervisor that is killed takes its workers with it, once their calls have ended', async () => {
  const gateway = await place.start()
  const workers = workersOf(gateway)
  expect(workers).toHaveLength(2)
  const running = Array.from({ length: 6 }, () => call(gateway.url, { model: 'mock:latency=2000' }))
  await Bun.sleep(700)
  gateway.signal('SIGKILL')
  for (const { status } of await Promise.all(running)) expect(status).toBe(200)
  await until('the workers have ended', () => !workers.some(isAlive))
})

test('a second signal ends all at once', async () => {
  const gateway = await place.start()
  const workers = workersOf(gateway)
  const cutOff = call(gateway.url, { model: 'mock:latency=20000' }).catch(() => undefined)
  await Bun.sleep(500)
  gateway.signal('SIGTERM')
  await Bun.sleep(300)
  const startedMs = performance.now()
  gateway.signal('SIGTERM')
  expect((await gateway.exited).code).toBe(1)
  await until('the workers have ended', () => !workers.some(isAlive))
  expect(performance.now() - startedMs).toBeLessThan(3_000)
  await cutOff
})
