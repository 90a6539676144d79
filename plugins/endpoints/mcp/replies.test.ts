import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { fromPieces, nextPiece, type ReadyStream } from '#core/bodies/ready-stream'
import { errorOf, RPC } from '#core/mcp/json-rpc'
import { type Owed, rewriteEvents } from './replies.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const textOf = async (body: ReadyStream): Promise<string> => {
  const pieces: Uint8Array[] = []
  for (;;) {
    const piece = await nextPiece(body)
    if (piece === undefined) return decoder.decode(Buffer.concat(pieces))
    pieces.push(piece)
  }
}

/** The messages in a stream of events, each read as the HTML standard has it (section 9.2.6): for comparing with. */
const messagesIn = (text: string): unknown[] =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .split('\n\n')
    .flatMap((event) => {
      const lines = event.split('\n').filter((line) => line.startsWith('data:'))
      const data = lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n')
      return data === '' ? [] : [JSON.parse(data)]
    })

const words = fc.string({ unit: 'binary', maxLength: 20 })
const message = fc.oneof(
  fc.record({ id: fc.integer({ min: 1, max: 4 }), text: words }).map(({ id, text }) => ({
    ...{ jsonrpc: '2.0', id },
    result: { content: [{ type: 'text', text }], serial: 1 },
  })),
  words.map((text) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { data: text } })),
  fc.record({ id: words, text: words }).map(({ id, text }) => ({
    ...{ jsonrpc: '2.0', id, method: 'sampling/createMessage' },
    params: { text },
  })),
)
const framed = fc.record({
  message,
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  head: fc.constantFrom('', ': a comment', 'event: message', 'id: 7', 'retry: 100'),
  isSpread: fc.boolean(),
})
type Framed = typeof framed extends fc.Arbitrary<infer Value> ? Value : never

const eventOf = ({ message: said, newline, head, isSpread }: Framed): string => {
  // A text may have its lines in several fields of data: JSON does not mind.
  const lines = isSpread ? JSON.stringify(said, null, 1).split('\n') : [JSON.stringify(said)]
  return [...(head === '' ? [] : [head]), ...lines.map((line) => `data: ${line}`), '', ''].join(newline)
}

const split = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((one, other) => one - other)
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length))
}

test('a stream is the same to its client however it comes in pieces: each answer once, changed where that is said, and owed ones told of', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(framed, { maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 4 })),
      async (events, places, changed) => {
        const bytes = encoder.encode(events.map(eventOf).join(''))
        const owed: Owed = new Map(
          [1, 2, 3].map((id) => [
            id,
            changed.includes(id) ? ({ fields }) => ({ ...fields, changed: true }) : undefined,
          ]),
        )
        const heard = messagesIn(await textOf(rewriteEvents(fromPieces(split(bytes, places)), owed)))
        const answered = new Set<number>()
        const expected: unknown[] = events.flatMap(({ message: said }): unknown[] => {
          if (!('result' in said)) return [said]
          if (said.id > 3 || answered.has(said.id)) return []
          answered.add(said.id)
          return [changed.includes(said.id) ? { ...said, changed: true } : said]
        })
        for (const id of [1, 2, 3]) {
          if (answered.has(id)) continue
          expected.push(errorOf(id, RPC.internal, 'The MCP server ended the answer before it was complete.'))
        }
        expect(heard).toEqual(expected)
      },
    ),
    { numRuns: 500 },
  )
})
