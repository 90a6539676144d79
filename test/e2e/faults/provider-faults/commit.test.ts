import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { allEvents, chunk, healthy, LAST_CHUNK, streamed } from '../../../support/fault-server/answers.ts'
import type { Play, Step } from '../../../support/fault-server/server.ts'
import { WIRES } from '../../../support/fault-server/wires.ts'
import { expectWhole, readStream } from './support/client.ts'
import { ask, type Scene, startScene } from './support/scene.ts'

const PATIENCE_MS = 40
const LONGER: Step = { waitMs: 5 * PATIENCE_MS }

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ firstEventPatienceMs: PATIENCE_MS })
})
afterAll(() => scene.close())

describe.each(WIRES)('a stream of $provider whose first token takes longer than the patience', (wire) => {
  const { lead } = wire.events(['x'])
  const cutLate: Play = () => [...streamed(...lead), LONGER, chunk(': still here\n\n'), LAST_CHUNK]

  test('begins with comments while another target could take over: its failure goes unseen', async () => {
    const reply = await ask(scene, { fault: cutLate, wire, stream: true, fallback: wire })
    expectWhole(reply, true)
    expect(reply.text).toStartWith(': keep-alive\n\n')
    expect(reply.secondary).toHaveLength(1)
    expect(reply.headers.get('x-gateway-last-used-option-index')).toBe('config.targets[0]')
  })

  test('begins before the provider has said anything, and is retried behind its head', async () => {
    let asked = 0
    const lateHead: Play = (request) => (asked++ === 0 ? [LONGER, 'close'] : healthy(wire)(request))
    const reply = await ask(scene, { fault: lateHead, wire, stream: true, target: { retry: { attempts: 1 } } })
    expectWhole(reply, true)
    expect(reply.text).toStartWith(': keep-alive\n\n')
    expect(reply.headers.get('x-gateway-provider')).toBe(wire.provider)
    expect(reply.primary).toHaveLength(2)
  })

  test('begins on the last target; the client is kept awake, and the failure comes as an event', async () => {
    const reply = await ask(scene, { fault: cutLate, wire, stream: true })
    const seen = readStream(reply.text)
    expect([reply.status, seen.content, seen.errorCode, seen.done]).toEqual([200, '', 'stream_truncated', 0])
    expect(reply.text).toStartWith(': keep-alive\n\n')
  })

  test('comes whole when it comes', async () => {
    const [first = '', ...events] = allEvents(wire)
    const late: Play = () => [...streamed(first), LONGER, ...events.map(chunk), LAST_CHUNK]
    expectWhole(await ask(scene, { fault: late, wire, stream: true }), true)
  })
})
