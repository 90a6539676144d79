import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { allEvents } from '../../../support/fault-server/answers.ts'
import { cutAfter } from '../../../support/fault-server/faults.ts'
import { WIRES } from '../../../support/fault-server/wires.ts'
import { expectBroken, expectWhole } from './support/client.ts'
import { ask, type Scene, startScene } from './support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

describe.each(WIRES)('a stream of $provider that ends properly by HTTP, but', (wire) => {
  const cuts = allEvents(wire).map((_event, index) => index)

  test.each(cuts)('after event %d, is never taken for more than it is', async (events) => {
    const fault = cutAfter(wire, events)
    const reply = await ask(scene, { fault, wire, stream: true })
    if (fault.outcome.kind === 'whole') expectWhole(reply, true)
    else if (fault.outcome.kind === 'breaks') expectBroken(reply)
    else expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([502, 'stream_truncated'])
  })

  test.each(cuts)('after event %d, is made up for', async (events) => {
    const fault = cutAfter(wire, events)
    for (const fallback of WIRES) {
      for (const recovery of ['restart', 'continue']) {
        const strategy = { stream_recovery: recovery }
        const reply = await ask(scene, { fault, wire, stream: true, fallback, strategy })
        expectWhole(reply, true)
        expect(reply.secondary).toHaveLength(fault.outcome.kind === 'whole' ? 0 : 1)
      }
    }
  })
})
