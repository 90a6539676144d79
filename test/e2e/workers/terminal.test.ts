import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, until, type WorkerPlace, workerPlace, workersOf } from './support/gateway.ts'

setDefaultTimeout(180_000)

const MAIN = join(import.meta.dir, '..', '..', '..', 'src', 'main.ts')
const INTERRUPT = '\u0003'

let place: WorkerPlace
beforeAll(async () => {
  place = await workerPlace()
})
afterAll(() => place.remove())

test('a person sees the keys once, lines to read with the worker of each, and ends all with Ctrl-C', async () => {
  const { WEIR_API_KEY: _, WEIR_ADMIN_KEY: __, ...env } = place.env
  let text = ''
  const decoder = new TextDecoder()
  const child = Bun.spawn([process.execPath, MAIN, 'start', '--workers', '2'], {
    cwd: place.folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    terminal: {
      cols: 500,
      data: (_terminal, bytes) => {
        text += decoder.decode(bytes, { stream: true })
      },
    },
  })
  const seen = async (pattern: RegExp): Promise<string> => {
    await until(String(pattern), () => pattern.test(text) || child.exitCode !== null)
    return pattern.exec(text)?.[1] ?? `ended with ${child.exitCode}: ${text}`
  }
  const url = await seen(/(http:\/\/127\.0\.0\.1:\d+)/)
  const key = await seen(/API key {3}\(model calls\) {2}\S*(weir_[0-9A-Za-z]{12}_[0-9A-Za-z]{43})/)
  expect(text.match(/API key {3}/g)).toHaveLength(1)
  expect(existsSync(join(place.folder, '.weir', 'first-keys.env'))).toBe(false)
  for (let round = 0; round < 20; round++) {
    const answer = await fetch(`${url}/v1/models`, { keepalive: false, headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
  }
  await seen(/(GET \/v1\/models.*worker=\S*1)/)
  await seen(/(GET \/v1\/models.*worker=\S*2)/)
  expect(text).not.toContain('{"time"')
  const workers = workersOf(child)
  expect(workers).toHaveLength(2)
  child.terminal?.write(INTERRUPT)
  expect(await child.exited).toBe(0)
  expect(workers.filter(isAlive)).toEqual([])
  child.terminal?.close()
})
