import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { eventsOf } from './events.ts'

const TEXT = 'event: ready\ndata: {}\n\n: a comment\n\ndata: one\ndata: two\n\nid: 7\r\ndata: ü€\r\n\r\ndata: the rest'

const EVENTS = [
  { event: 'ready', data: '{}' },
  { event: 'message', data: 'one\ntwo' },
  { event: 'message', data: 'ü€' },
  { event: 'message', data: 'the rest' },
]

test('events are the same wherever the network cuts them', async () => {
  const bytes = new TextEncoder().encode(TEXT)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length]
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          places.slice(1).forEach((end, index) => {
            controller.enqueue(bytes.slice(places[index], end))
          })
          controller.close()
        },
      })
      expect(await Array.fromAsync(eventsOf(body))).toEqual(EVENTS)
    }),
  )
})
