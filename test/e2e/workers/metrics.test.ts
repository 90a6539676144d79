import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { freePorts } from '../../support/start-ports.ts'
import { ADMIN_KEY, call, jsonLines, until, type WorkerPlace, workerPlace, workersOf } from './support/gateway.ts'

setDefaultTimeout(240_000)

let place: WorkerPlace
let gateway: RunningGateway
let metricsPort: number
beforeAll(async () => {
  place = await workerPlace()
  const [port = 0] = await freePorts(1)
  metricsPort = port
  gateway = await place.start({ env: { WEIR_METRICS_PORT: String(port) } })
})
afterAll(() => place.remove())

/** Whoever answers: each time a connection of its own. */
const metrics = async (): Promise<string> => {
  const response = await fetch(`${gateway.url}/metrics`, {
    keepalive: false,
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  })
  return response.text()
}

/** The value of a metric, over all its labels. */
const sumOf = (text: string, name: string): number =>
  [...text.matchAll(/^(\w+)(?:\{.*\})? (\S+)$/gm)]
    .filter(([, metric]) => metric === name)
    .reduce((sum, [, , value]) => sum + Number(value), 0)

const callTimes = async (count: number): Promise<void> => {
  for (let round = 0; round < count; round++) await (await call(gateway.url)).text()
}

/** Calls that were counted, once that is as many. */
const counted = async (count: number): Promise<void> =>
  until(`${count} calls`, async () => sumOf(await metrics(), 'weir_calls_total') === count)

test('each worker gives the numbers of all', async () => {
  await callTimes(30)
  await counted(30)
  for (let round = 0; round < 10; round++) {
    const text = await metrics()
    expect(sumOf(text, 'weir_calls_total')).toBe(30)
    expect(sumOf(text, 'weir_call_duration_seconds_count')).toBe(30)
    expect(sumOf(text, 'weir_workers')).toBe(2)
    expect(sumOf(text, 'weir_info')).toBe(1)
    expect(sumOf(text, 'weir_spool_durable')).toBe(1)
  }
})

test('so does the port of the metrics', async () => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { keepalive: false })).text()
  expect(sumOf(text, 'weir_calls_total')).toBe(30)
})

test('what a worker had counted is not lost when it is killed', async () => {
  await callTimes(10)
  await counted(40)
  process.kill(workersOf(gateway)[0] ?? 0, 'SIGKILL')
  // Who asks the one that dies gets no answer.
  await until(
    'another is there',
    async () => sumOf(await metrics().catch(() => ''), 'weir_worker_restarts_total') === 1,
  )
  expect(sumOf(await metrics(), 'weir_calls_total')).toBe(40)
  await callTimes(10)
  await counted(50)
})

test('nor when it is replaced', async () => {
  gateway.signal('SIGHUP')
  await until('all are replaced', () =>
    jsonLines(gateway.stderr()).some(({ message }) => message === 'the workers were replaced'),
  )
  await callTimes(10)
  await counted(60)
  await until('the old ones are gone', async () => sumOf(await metrics(), 'weir_workers') === 2, 90_000)
  expect(sumOf(await metrics(), 'weir_calls_total')).toBe(60)
})
