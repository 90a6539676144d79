import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { StreamReader } from '../../../plugins/pipeline/guardrails/stream/stream-reader.ts'
import { decodeFrame, encodeEvent } from '../../../src/core/bodies/sse.ts'
import { chatStream } from './streams.ts'

const anyContent = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('m', 'content', 'c', '"', '\\', '\n', 'é', '🙂', '\ud83d', '","x":"', '\\u0041', '0', '', 'index'),
)

/** Chunks of one text and of others, much alike, as writers of JSON write them. */
const anyChunk = fc.record({
  content: anyContent,
  field: fc.constantFrom('content', 'content', 'content', 'reasoning_content', 'refusal'),
  index: fc.constantFrom(0, 0, 0, 1),
  finish: fc.constantFrom(null, null, null, null, 'stop'),
  id: fc.constantFrom('c', 'c', 'c', 'd'),
  name: fc.constantFrom(undefined, undefined, 'chunk'),
  isEscaped: fc.constantFrom(false, false, false, true),
  more: fc.constantFrom({}, {}, {}, { system_fingerprint: 'm' }, { content: 'm' }),
})

/** What is no letter of ASCII is written by its number. */
const escaped = (json: string): string =>
  json.replaceAll(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

test('a reader that does not parse what is alike reads what one does that parses all', () => {
  fc.assert(
    fc.property(fc.array(anyChunk, { maxLength: 30 }), (chunks) => {
      const reader = new StreamReader(chatStream())
      const parsing = chatStream()
      for (const { content, field, index, finish, id, name, isEscaped, more } of chunks) {
        const choices = [{ index, delta: { [field]: content }, finish_reason: finish }]
        const json = JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })
        const frame = encodeEvent(isEscaped ? escaped(json) : json, name)
        const event = decodeFrame(frame)
        const expected = event && parsing.read(event)
        const said = reader.read(frame)
        expect(said?.pieces.map(({ text, track, kind, path }) => ({ text, track, kind, path }))).toEqual(
          expected?.pieces.map(({ text, track, kind, path }) => ({ text, track, kind, path })),
        )
        expect(said?.read.ends).toEqual(expected?.ends)
        expect(said?.read.name).toBe(expected?.name ?? '')
      }
    }),
    { numRuns: 2_000 },
  )
})
