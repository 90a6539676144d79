import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { answerTextBytes } from '#calls/answer-text'
import { EventLook } from './event-look.ts'

const chat = (delta: unknown) => ({ id: 'x', choices: [{ index: 0, delta, finish_reason: null }], usage: null })

/** Events of each form, with the bytes of text in them. */
const EVENTS: readonly (readonly [name: string, body: unknown, bytes: number])[] = [
  ['content', chat({ role: 'assistant', content: 'Hello' }), 5],
  ['content beyond ASCII', chat({ content: 'ä語\u{1f600}' }), 9],
  ['white space and quotes', chat({ content: '\n\t"\\/' }), 5],
  ['content in parts', chat({ content: [{ type: 'text', text: 'abc' }] }), 3],
  ['thinking in parts', chat({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'abcd' }] }] }), 4],
  ['nothing but a role', chat({ role: 'assistant', content: null }), 0],
  ['reasoning', chat({ reasoning: 'hmm' }), 3],
  ['reasoning under two names', chat({ reasoning: 'hmm', reasoning_content: 'hmm', content: 'a' }), 4],
  [
    'reasoning with its details',
    chat({ reasoning: 'hmm', reasoning_details: [{ type: 'reasoning.text', text: 'hmm' }] }),
    3,
  ],
  ['details alone', chat({ reasoning_details: [{ type: 'reasoning.text', text: 'hmm' }], content: '' }), 3],
  ['blocks beside the content', chat({ content: 'ab', content_blocks: [{ index: 0, delta: { text: 'ab' } }] }), 2],
  ['blocks alone', chat({ content_blocks: [{ index: 0, delta: { thinking: 'abc' } }] }), 3],
  ['a refusal', chat({ refusal: 'no' }), 2],
  ['arguments of tools', chat({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{"a":1}' } }] }), 7],
  ['several choices', { choices: [{ delta: { content: 'a' } }, { delta: { content: 'bc' } }] }, 3],
  ['a text', { choices: [{ text: 'abc', index: 0, logprobs: { tokens: ['abc'], text_offset: [0] } }] }, 3],
  [
    'probabilities',
    { choices: [{ delta: { content: 'a' }, logprobs: { content: [{ token: 'a', top_logprobs: [] }] } }] },
    1,
  ],
  ['names of keys as text', chat({ content: 'content', refusal: 'text' }), 11],
  ['Messages: text', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'abc' } }, 3],
  ['Messages: thinking', { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'abc' } }, 3],
  ['Messages: arguments', { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"a' } }, 3],
  ['Messages: a signature', { type: 'content_block_delta', delta: { type: 'signature_delta', signature: 'abc' } }, 0],
  ['Responses: text', { type: 'response.output_text.delta', item_id: 'i', delta: 'abc' }, 3],
  ['Responses: arguments', { type: 'response.function_call_arguments.delta', delta: '{"a' }, 3],
  ['Responses: the whole again', { type: 'response.output_text.done', text: 'abc' }, 0],
  ['Responses: the end', { type: 'response.completed', response: { output: [{ content: [{ text: 'abc' }] }] } }, 0],
  ['Gemini: text', { candidates: [{ content: { parts: [{ text: 'abc' }], role: 'model' } }] }, 3],
  ['Gemini: arguments', { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] } }] }, 7],
  ['2023: Anthropic', { completion: 'abc', stop_reason: null }, 3],
  ['no text at all', { type: 'ping' }, 0],
]

const WRITTEN: readonly (readonly [form: string, write: (json: string) => string])[] = [
  ['one line', (json) => `data: ${json}\n\n`],
  ['its name in front', (json) => `event: some_name\ndata: ${json}\n\n`],
  ['lines ended with CRLF', (json) => `event: some_name\r\ndata: ${json}\r\n\r\n`],
]

const ascii = (json: string): string =>
  json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** What is told of an event without reading its JSON. */
const told = (event: string): EventLook => {
  const look = new EventLook()
  look.look(new TextEncoder().encode(event))
  return look
}

describe('bytes of text', () => {
  test.each(EVENTS)('%s', (_name, body, bytes) => {
    expect(answerTextBytes(body)).toBe(bytes)
    const json = JSON.stringify(body)
    for (const [form, write] of WRITTEN) {
      for (const spelling of [json, ascii(json)]) {
        const { isPlain, textBytes = answerTextBytes(body) } = told(write(spelling))
        expect([form, isPlain, textBytes]).toEqual([form, true, bytes])
      }
    }
  })

  test('are the same for any text, however it is written', () => {
    // Of each length in UTF-8, and what has an escape of its own.
    const unit = fc.constantFrom(
      'a',
      ' ',
      '"',
      '\\',
      '/',
      '\n',
      '\u0001',
      '\u007f',
      '\u0080',
      'ä',
      '\u0800',
      '語',
      '\u{1f600}',
    )
    const text = fc.string({ unit, maxLength: 40 })
    fc.assert(
      fc.property(text, text, (content, reasoning) => {
        const body = chat({ content, reasoning })
        const json = JSON.stringify(body)
        const bytes = Buffer.byteLength(content) + Buffer.byteLength(reasoning)
        for (const spelling of [json, ascii(json)]) expect(told(`data: ${spelling}\n\n`).textBytes).toBe(bytes)
        expect(answerTextBytes(body)).toBe(bytes)
      }),
    )
  })

  test('are not told where the JSON has to be read: calls with arguments as an object, several lines, exponents', () => {
    const call = JSON.stringify({ functionCall: { name: 'f', args: { text: 'abc' } } })
    for (const event of [
      `data: ${call}\n\n`,
      'data: {"text":\ndata: "abc"}\n\n',
      'data: {"text":"abc","p":1e-5}\n\n',
    ]) {
      expect(told(event).textBytes).toBeUndefined()
    }
  })

  test('usage that is null is not worth reading', () => {
    for (const [usage, isWorth] of [
      [null, false],
      [{}, true],
    ]) {
      expect(
        told(`data: ${JSON.stringify({ usage, choices: [] }, null, 1).replaceAll('\n', '')}\n\n`).mayHoldUsage,
      ).toBe(isWorth === true)
    }
  })

  test('a text that is the name of a field is not taken for it', () => {
    const { mayHoldUsage, mayHoldError } = told(
      `data: ${JSON.stringify(chat({ content: 'usage', refusal: 'error' }))}\n\n`,
    )
    expect([mayHoldUsage, mayHoldError]).toEqual([false, false])
  })
})
