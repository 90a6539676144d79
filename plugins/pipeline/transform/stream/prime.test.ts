import { describe, expect, test } from 'bun:test'
import { FirstTokenTimeout, fromReader, InvalidRequest, nextPiece, type ReadyStream, UpstreamError } from '#kit'
import { MAX_HELD_BYTES, prime as primeNaming } from './prime.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A stream of these pieces; an Error among them is thrown at its turn, a promise is waited for. */
const source = (...pieces: readonly (string | Error | Promise<string>)[]) => {
  const left = [...pieces]
  const state = { reads: 0, cancelled: 0 }
  const stream = fromReader({
    async read() {
      state.reads++
      if (state.cancelled > 0) return undefined
      const piece = await left.shift()
      if (piece instanceof Error) throw piece
      return piece === undefined ? undefined : encoder.encode(piece)
    },
    cancel() {
      state.cancelled++
    },
  })
  return { stream, state }
}

const prime = (stream: ReadyStream, firstTokenMs?: number): Promise<ReadyStream> =>
  primeNaming(stream, (thrown) => thrown, firstTokenMs)

const next = async (stream: ReadyStream): Promise<string | undefined> => {
  const piece = await nextPiece(stream)
  return piece === undefined ? undefined : decoder.decode(piece)
}

const silence = new Promise<string>(() => undefined)
const chunk = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const textChunk = (text: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, text, logprobs: null, finish_reason: finish }] })}\n\n`
const ROLE = chunk({ role: 'assistant', content: '' })
const BROKEN = new UpstreamError('broken')

describe('nothing is committed by', () => {
  test.each([
    ['a role', ROLE],
    ['empty fields', chunk({ content: '', refusal: null, tool_calls: [], reasoning_content: '' })],
    ['a block that has nothing yet', chunk({ content_blocks: [{ index: 0, type: 'text', text: '' }] })],
    ['a piece of a text without text', textChunk('')],
    ['usage alone', 'data: {"choices":[],"usage":{"prompt_tokens":3}}\n\n'],
    ['a comment', ': ping\n\n'],
    ['empty data', 'data:\n\n'],
    ['half an event', 'data: {"choices":[{"delta":{"content":"a"'],
  ])('%s', async (_name, piece) => {
    expect(await prime(source(ROLE, piece, BROKEN).stream).catch((thrown: unknown) => thrown)).toBe(BROKEN)
  })
})

describe('an attempt is committed by', () => {
  test.each([
    ['text', chunk({ content: ' ' })],
    ['a piece of a text', textChunk(' ')],
    ['the end of a text', textChunk('', 'length')],
    ['reasoning', chunk({ reasoning_content: 'so' })],
    ['a tool call', chunk({ tool_calls: [{ index: 0, id: 'call-1', function: { name: 'f', arguments: '' } }] })],
    ['a refusal', chunk({ refusal: 'no' })],
    ['a piece of a block', chunk({ content_blocks: [{ index: 0, delta: { type: 'text_delta', text: 'a' } }] })],
    ['a finish reason', chunk({}, 'stop')],
    ['the end marker', 'data: [DONE]\n\n'],
    ['what is no chunk of a chat', 'data: {"type":"other"}\n\n'],
    ['more than is held back', `: ${'x'.repeat(MAX_HELD_BYTES)}\n\n`],
  ])('%s, and what was held back comes first', async (_name, piece) => {
    const { stream, state } = source(ROLE, piece, BROKEN)
    const primed = await prime(stream)
    expect(state.reads).toBe(2)
    expect(await next(primed)).toBe(ROLE + piece)
    await expect(next(primed)).rejects.toBe(BROKEN)
  })
})

describe('waiting for the first meaningful event', () => {
  test('its failure is thrown while there is still a status to give', async () => {
    const broken = new InvalidRequest('no')
    expect(await prime(source(broken).stream).catch((thrown: unknown) => thrown)).toBe(broken)
  })

  test('what was read is not lost, and comes once; an empty stream stays empty', async () => {
    const text = chunk({ content: 'a' })
    const primed = await prime(source(text, 'b').stream)
    expect([await next(primed), await next(primed), await next(primed)]).toEqual([text, 'b', undefined])
    expect(await next(await prime(source().stream))).toBeUndefined()
  })

  test('a stream that is left after it gives no more', async () => {
    const { stream, state } = source(chunk({ content: 'a' }), 'b')
    const primed = await prime(stream)
    primed.cancel()
    expect(state.cancelled).toBe(1)
    expect(await next(primed)).toBeUndefined()
  })

  test('lasts no longer than the limit for the first token', async () => {
    const { stream, state } = source(ROLE, silence)
    await expect(prime(stream, 1)).rejects.toBeInstanceOf(FirstTokenTimeout)
    expect(state.cancelled).toBe(1)
  })

  test('the limit for the first token is over with it', async () => {
    const later = Promise.withResolvers<string>()
    const primed = await prime(source(chunk({ content: 'a' }), later.promise).stream, 5)
    await next(primed)
    await Bun.sleep(15)
    later.resolve('b')
    expect(await next(primed)).toBe('b')
  })
})
