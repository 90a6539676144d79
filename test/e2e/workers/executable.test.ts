import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { buildExecutable } from '../../support/command.ts'
import { call, isAlive, jsonLines, until, type WorkerPlace, workerPlace, workersOf } from './support/gateway.ts'

setDefaultTimeout(240_000)

let place: WorkerPlace
beforeAll(async () => {
  place = await workerPlace()
})
afterAll(() => place.remove())

test('the executable starts its workers, replaces them and ends them', async () => {
  const executable = await buildExecutable(place.folder)
  const gateway = await place.start({ executable })
  const workers = workersOf(gateway)
  expect(workers).toHaveLength(2)
  for (let round = 0; round < 20; round++) expect((await call(gateway.url)).status).toBe(200)
  gateway.signal('SIGHUP')
  await until('they are replaced', () =>
    jsonLines(gateway.stderr()).some(({ message }) => message === 'the workers were replaced'),
  )
  expect((await call(gateway.url)).status).toBe(200)
  const { code, stdout } = await gateway.stop()
  expect(code).toBe(0)
  expect(new Set(jsonLines(stdout).map(({ worker }) => worker))).toEqual(new Set([1, 2]))
  expect(workers.filter(isAlive)).toEqual([])
})
