import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnCommand } from '../../support/command.ts'
import { call, isAlive, jsonLines, until, type WorkerPlace, workerPlace, workersOf } from './support/gateway.ts'

setDefaultTimeout(180_000)

let place: WorkerPlace
beforeAll(async () => {
  place = await workerPlace()
})
afterAll(() => place.remove())

describe('two workers', () => {
  test('share the calls; there is one banner, and each line says whose it is', async () => {
    const gateway = await place.start()
    const workers = workersOf(gateway)
    expect(workers).toHaveLength(2)
    for (let round = 0; round < 40; round++) {
      const answer = await call(gateway.url)
      expect(answer.status).toBe(200)
      await answer.text()
    }
    const { code, stdout, stderr } = await gateway.stop()
    expect(code).toBe(0)
    expect(stderr.match(/is listening on/g)).toHaveLength(1)
    expect(stderr).toContain('\n  with 2 workers\n')
    const calls = jsonLines(stdout)
    expect(calls).toHaveLength(40)
    expect(new Set(calls.map(({ worker }) => worker))).toEqual(new Set([1, 2]))
    const lines = jsonLines(stderr)
    expect(lines.filter(({ worker }) => typeof worker !== 'number')).toEqual([])
    expect(new Set(lines.filter(({ message }) => message === 'stopping').map(({ worker }) => worker))).toEqual(
      new Set([0, 1, 2]),
    )
    expect(lines.filter(({ message }) => message === 'chain').map(({ worker }) => worker)).toEqual([0])
    expect(workers.filter(isAlive)).toEqual([])
  })

  test('end with SIGINT as with SIGTERM, after the calls that run', async () => {
    const gateway = await place.start()
    const running = call(gateway.url, { model: 'mock:latency=1500' })
    await Bun.sleep(500)
    const { code } = await gateway.stop('SIGINT')
    expect([code, (await running).status]).toEqual([0, 200])
  })

  test('end with 0 also while they start', async () => {
    const command = spawnCommand({ folder: place.folder, args: ['start', '--workers', '2'], env: place.env })
    await until('one is there', () => workersOf(command).length > 0)
    const [first = 0] = workersOf(command)
    const { code, stderr } = await command.stop()
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('is listening on')])
    expect(isAlive(first)).toBe(false)
  })

  test('are not started where another gateway listens', async () => {
    const gateway = await place.start()
    const { code, stderr } = await spawnCommand({
      folder: place.folder,
      args: ['start', '--workers', '2'],
      env: { ...place.env, PORT: new URL(gateway.url).port },
    }).exited
    expect([code, stderr]).toEqual([1, expect.stringContaining('the port is taken by another process')])
    await gateway.stop()
  })
})
