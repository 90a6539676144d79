import { describe, expect, test } from 'bun:test'
import { builtInEndpoints } from '../../plugins/built-in.ts'

/** Endpoints that take a text which no guardrail looks at (interface specification, section 7), and why. */
const UNLOOKED: Readonly<Record<string, string>> = {
  'messages-count-tokens': 'no model is asked',
  moderations: 'is a check itself',
  rerank: 'the interface leaves it out',
  ocr: 'the interface leaves it out',
  images: 'the interface leaves it out',
  'image-edits': 'the interface leaves it out',
  speech: 'the interface leaves it out',
  transcriptions: 'the interface leaves it out',
  translations: 'the interface leaves it out',
  'thread-and-run-create': 'the interface leaves it out',
  'run-create': 'the interface leaves it out',
  'run-submit-tool-outputs': 'the interface leaves it out',
  proxy: 'a provider is called in a form that nobody here reads',
}

describe('texts of endpoints', () => {
  const withTexts = builtInEndpoints.filter(({ texts }) => texts !== undefined)

  test('each that a model reads a text of has them, or a reason why not', () => {
    const without = builtInEndpoints.filter(({ reads, texts }) => reads.length > 0 && texts === undefined)
    expect(without.map(({ id }) => id).toSorted()).toEqual(Object.keys(UNLOOKED).toSorted())
    expect(withTexts.filter(({ reads }) => reads.length === 0).map(({ id }) => id)).toEqual([])
  })

  test('each whose answers a model writes finds them, whole and in streams, and can say something itself', () => {
    for (const { id, isWritten, answer, texts } of withTexts) {
      expect([id, texts?.answered !== undefined, texts?.say !== undefined]).toEqual([id, isWritten, isWritten])
      expect([id, texts?.stream !== undefined]).toEqual([id, answer.kind === 'events'])
    }
    expect(withTexts.filter(({ isWritten }) => isWritten).length).toBeGreaterThan(4)
  })

  test('a soft refusal is an answer of the form, which can be told as a stream', () => {
    for (const { id, answer, texts } of withTexts) {
      const said = texts?.say?.('No.', { id: 'id', model: 'm', created: 1 })
      if (said === undefined || answer.kind !== 'events') continue
      const whole = answer.form.read(said)
      const stream = texts?.stream?.({})
      const found = [...(whole?.chunks(false) ?? [])].flatMap(
        (chunk) => stream?.read({ event: 'message', data: JSON.stringify(chunk) })?.pieces ?? [],
      )
      const text = found.filter(({ isWhole }) => isWhole !== true).map((piece) => piece.text)
      expect([id, text.join('')]).toEqual([id, 'No.'])
    }
  })

  test('a mark of the end has no JSON, in any form and however it is written', () => {
    for (const { id, texts } of withTexts) {
      const stream = texts?.stream?.({})
      if (stream === undefined) continue
      for (const data of ['', ' ', '[DONE]', ' [DONE]'])
        expect([id, stream.read({ event: 'message', data })]).toEqual([id, undefined])
      expect(stream.read({ event: 'message', data: ' {}' })?.pieces).toEqual([])
      expect(() => stream.read({ event: 'message', data: 'no' })).toThrow(SyntaxError)
    }
  })

  test('nothing is found in what has another form', () => {
    for (const { texts } of withTexts) {
      for (const body of [{}, { messages: null, input: 5, prompt: {}, contents: [[]], content: 'x', requests: 'x' }]) {
        expect(texts?.asked(body)).toEqual([])
      }
      for (const body of [
        {},
        { choices: null, content: 5, output: {}, candidates: 'x' },
        { choices: [null, { delta: 5 }] },
      ]) {
        expect(texts?.answered?.(body) ?? []).toEqual([])
        const data = JSON.stringify(body)
        expect(texts?.stream?.({}).read({ event: 'message', data })?.pieces ?? []).toEqual([])
      }
    }
  })
})
