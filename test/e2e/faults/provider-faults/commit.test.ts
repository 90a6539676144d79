import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { allEvents, chunk, LAST_CHUNK, streamed } from '../../../support/fault-server/answers.ts'
import type { Play, Step } from '../../../support/fault-server/server.ts'
import { WIRES } from '../../../support/fault-server/wires.ts'
import { expectWhole, readStream } from './support/client.ts'
import { ask, type Scene, startScene } from './support/scene.ts'

const PATIENCE_MS = 40
const LONGER: Step = { waitMs: 5 * PATIENCE_MS }

let scene: Scene
beforeAll(async () => {
  scene = await startScene({}, { firstEventPatienceMs: PATIENCE_MS })
})
afterAll(() => scene.close())

describe.each(WIRES)('a stream of $provider whose first token takes longer than the patience', (wire) => {
  const { lead } = wire.events(['x'])
  const cutLate: Play = () => [...streamed(...lead), LONGER, chunk(': still here\n\n'), LAST_CHUNK]

  test('is waited for while another target could take over: its failure goes unseen', async () => {
    const reply = await ask(scene, { fault: cutLate, wire, stream: true, fallback: wire })
    expectWhole(reply, true)
    expect(reply.text).not.toContain('keep-alive')
    expect(reply.secondary).toHaveLength(1)
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
