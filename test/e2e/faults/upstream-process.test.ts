import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, createClient, outcomeOf } from '../../../src/upstream/http1/test-support/client.ts'
import { startScriptedServer } from '../../../src/upstream/http1/test-support/scripted-server.ts'
import { startBlackHole } from './support/black-hole.ts'

test('a process ends although connections are idle and nobody closed them', async () => {
  const server = await startScriptedServer(() => ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'])
  const startMs = performance.now()
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'support/call-upstream.ts')], {
    env: {
      PATH: process.env.PATH ?? '',
      CALLS: JSON.stringify(Array(3).fill(`http://127.0.0.1:${server.port}/`)),
      LEAVE_OPEN: 'yes',
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual(['ok', 'ok', 'ok'])
  expect(await child.exited).toBe(0)
  expect(performance.now() - startMs).toBeLessThan(10_000)
  expect(server.connections).toBe(1)
  await server.close()
}, 20_000)

test('calls to an address that never answers end in time, and leave few dials behind', async () => {
  const hole = await startBlackHole()
  const client = createClient()
  const url = `http://127.0.0.1:${hole.port}/`
  const deadlines = { connectMs: 100, firstByteMs: 5_000, idleMs: 5_000, totalMs: 5_000 }
  const before = dialsTo(hole.port)
  for (let round = 0; round < 10; round++) {
    const startMs = performance.now()
    expect(await outcomeOf(ask(client, url, { deadlines }))).toMatch(/^connect_timeout: /)
    expect(performance.now() - startMs).toBeWithin(80, 2_000)
  }
  // The first one cannot be taken back before the system gives it up; the others knock first.
  expect(dialsTo(hole.port) - before).toBeLessThanOrEqual(1)
  const controller = new AbortController()
  const left = outcomeOf(ask(client, url, { deadlines: { ...deadlines, connectMs: 5_000 }, signal: controller.signal }))
  controller.abort()
  expect(await left).toMatch(/^client_closed: /)
  client.close()
  await hole.close()
}, 60_000)

/** Connections of this machine to the port that wait for an answer to their first packet; Linux tells. */
const dialsTo = (port: number): number => {
  const table = '/proc/net/tcp'
  if (!existsSync(table)) return 0
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')} 02 `
  return readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line.includes(remote)).length
}
