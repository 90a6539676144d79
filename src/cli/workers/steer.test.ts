import { afterAll, expect, test } from 'bun:test'
import { ownSockets } from './own-sockets.ts'
import { steerConnections } from './steer.ts'

/** Answers of each listener. */
const answers = [0, 0, 0]
const listenAs = (place: number, port: number): Bun.Server<undefined> =>
  Bun.serve({
    hostname: '127.0.0.1',
    port,
    reusePort: true,
    fetch() {
      answers[place] = (answers[place] ?? 0) + 1
      return new Response()
    },
  })

const first = listenAs(0, 0)
const port = first.port ?? 0
const servers = [first, listenAs(1, port), listenAs(2, port)]
afterAll(() => Promise.all(servers.map((server) => server.stop(true))))

/** How many of these connections each listener got. */
const connectionsOf = async (count: number): Promise<readonly number[]> => {
  answers.fill(0)
  await Promise.all(Array.from({ length: count }, () => fetch(first.url, { keepalive: false })))
  return answers
}

test('new connections come to the listeners that are named alone, and to all of them again', async () => {
  expect(steerConnections(port, [1, 2])).toBe(true)
  const [none, some, others] = await connectionsOf(100)
  expect(none).toBe(0)
  expect(some).toBeGreaterThan(0)
  expect(others).toBeGreaterThan(0)
  expect(steerConnections(port, [0])).toBe(true)
  expect(await connectionsOf(50)).toEqual([50, 0, 0])
  expect(steerConnections(port, [])).toBe(true)
  for (const count of await connectionsOf(200)) expect(count).toBeGreaterThan(0)
})

test('the place of a listener that leaves is taken by the last', async () => {
  await first.stop(true)
  expect(steerConnections(port, [0])).toBe(true)
  answers.fill(0)
  for (let index = 0; index < 20; index++) await fetch(`http://127.0.0.1:${port}`, { keepalive: false })
  expect(answers).toEqual([0, 0, 20])
})

test('a port that this process does not serve cannot be steered', () => {
  expect(steerConnections(1, [0])).toBe(false)
})

test('the sockets of a port are listeners, and connections while they are open', async () => {
  const [, server] = servers
  expect(ownSockets(server?.port ?? 0).listeners).toHaveLength(2)
  const client = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data: () => undefined } })
  const connections = (): number => ownSockets(port).connections
  while (connections() === 0) await Bun.sleep(5)
  expect(connections()).toBe(1)
  client.end()
  while (connections() > 0) await Bun.sleep(5)
  expect(connections()).toBe(0)
})
