import { expect, test } from 'bun:test'
import { openaiSessions } from './events.ts'
import { liveSessions } from './live.ts'

const note = (event: unknown) => openaiSessions.open().note(typeof event === 'string' ? event : JSON.stringify(event))
const USAGE = { input_tokens: 3, output_tokens: 4, total_tokens: 7 }

test.each([
  ['in front', `{"type":"response.done","response":{"usage":${JSON.stringify(USAGE)}}}`],
  ['behind its id', `{ "event_id": "e_1", "type": "response.done", "response": {"usage":${JSON.stringify(USAGE)}}}`],
  ['at the end', `{"response":{"usage":${JSON.stringify(USAGE)}},"type":"response.done"}`],
])('a response ends wherever its type stands: %s', (_where, event) => {
  expect(note(event)?.ends?.usage).toMatchObject({ inputTokens: 3, outputTokens: 4 })
})

test('what stands behind is no type: neither in metadata nor in a text', () => {
  const response = { metadata: { type: 'response.output_text.delta' }, usage: USAGE }
  expect(note(`{"response":${JSON.stringify(response)},"type":"response.done"}`)?.ends).toBeDefined()
  expect(note({ type: 'response.output_text.delta', delta: '{"type":"response.done"}' })).toEqual({
    text: expect.any(Number),
  })
  expect(note({ type: 'conversation.item.added', item: { type: 'response.done' } })).toBeUndefined()
})

test.each(['', '[]', '{"type":', 'null', '{"type":"response.done","response":7}', '{"type":"\\u0000response.done"}'])(
  '%p is nobody’s fault',
  (message) => {
    expect(note(message)?.ends?.usage).toBeUndefined()
  },
)

test('a failed response says why', () => {
  const error = { type: 'server_error', code: 'oops', message: 'no' }
  const response = { status: 'failed', status_details: { type: 'failed', error } }
  expect(note({ type: 'response.done', response })?.ends).toEqual({ usage: undefined, error: { error } })
})

test('sound is counted as tokens, at 50 ms each', () => {
  const delta = Buffer.alloc(24_000 * 2).toString('base64')
  const { soundTokens = 0 } = note({ type: 'response.output_audio.delta', delta }) ?? {}
  expect(Math.round(soundTokens)).toBe(20)
})

test('bytes mean nothing in sessions of OpenAI, and text in others', () => {
  expect(openaiSessions.open().note(Buffer.from('{"type":"response.done"}'))).toBeUndefined()
  const live = liveSessions.open()
  const said = { serverContent: { modelTurn: { parts: [{ inlineData: { data: 'AAAA' } }] } } }
  expect(live.note(Buffer.from(JSON.stringify(said)))).toMatchObject({ begins: true })
  const counted = { usageMetadata: { promptTokenCount: 2, responseTokenCount: 3, totalTokenCount: 5 } }
  // Counts that come while it speaks are those of the turn; behind its end they are told as they come.
  expect(live.note(JSON.stringify({ ...counted, ...said }))).toEqual({ begins: true })
  expect(live.note('{"serverContent":{"turnComplete":true}}')?.ends?.usage).toMatchObject({ totalTokens: 5 })
  expect(live.note(JSON.stringify(counted))?.ends?.usage).toMatchObject({ inputTokens: 2, outputTokens: 3 })
})
