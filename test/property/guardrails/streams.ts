import fc from 'fast-check'
import type { TextEdits } from '#core/text-edits'
import { chatTexts } from '../../../plugins/endpoints/texts/chat.ts'
import { WindowMachine, type WindowOptions } from '../../../plugins/pipeline/guardrails/stream/window.ts'
import { Pipe } from '../../../src/core/bodies/pipe.ts'
import { LATER, nextPiece, type ReadyStream, type Taken } from '../../../src/core/bodies/ready-stream.ts'
import { decodeFrame, eventText, SseFramer } from '../../../src/core/bodies/sse.ts'
import type { StreamTexts } from '../../../src/core/guardrails.ts'

/** @throws Error where chats are never streamed */
export const chatStream = (): StreamTexts => {
  const texts = chatTexts.stream?.({})
  if (texts === undefined) throw new Error('chats have no texts of streams')
  return texts
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What a model says in one event: so much of the text of a choice. */
export interface Said {
  readonly choice: number
  readonly text: string
}

const chunkOf = (choices: readonly object[]): string =>
  eventText(JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices }))

const finishOf = (index: number): string => chunkOf([{ index, delta: {}, finish_reason: 'stop' }])

/** A stream of chat chunks as bytes. */
export const bytesOf = (said: readonly Said[], choices: number): Uint8Array => {
  const numbers = Array.from({ length: choices }, (_, index) => index)
  const roles = numbers.map((index) =>
    chunkOf([{ index, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
  )
  const texts = said.map(({ choice, text }) =>
    chunkOf([{ index: choice, delta: { content: text }, finish_reason: null }]),
  )
  return encoder.encode([...roles, ...texts, ...numbers.map(finishOf), eventText('[DONE]')].join(''))
}

/** A source of pieces some of which come late, and that ends, or breaks. */
export class Source implements ReadyStream {
  readonly #pieces: readonly Uint8Array[]
  readonly #isLate: (index: number) => boolean
  readonly #failure: Error | undefined
  #next = 0
  #waited = -1
  isCancelled = false

  constructor(pieces: readonly Uint8Array[], isLate: (index: number) => boolean, failure?: Error) {
    this.#pieces = pieces
    this.#isLate = isLate
    this.#failure = failure
  }

  take(): Taken {
    if (this.isCancelled) return undefined
    if (this.#isLate(this.#next) && this.#waited < this.#next) return LATER
    const piece = this.#pieces[this.#next++]
    if (piece === undefined && this.#failure !== undefined) throw this.#failure
    return piece
  }
  whenReady(listener: () => void): void {
    this.#waited = this.#next
    setImmediate(listener)
  }
  cancel(): void {
    this.isCancelled = true
  }
}

/** What came out of a guarded stream. */
export interface Outcome {
  readonly bytes: string
  /** Text of each choice. */
  readonly texts: readonly string[]
  readonly finished: readonly (readonly [choice: number, reason: string])[]
  readonly error: unknown
}

export const readAll = async (stream: ReadyStream, choices: number): Promise<Outcome> => {
  let bytes = ''
  let error: unknown
  const pieceDecoder = new TextDecoder()
  try {
    for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream)) {
      bytes += pieceDecoder.decode(piece, { stream: true })
    }
  } catch (thrown) {
    error = thrown
  }
  const texts = Array.from({ length: choices }, () => '')
  const finished: [number, string][] = []
  for (const frame of new SseFramer().push(encoder.encode(bytes))) {
    const data = decodeFrame(frame)?.data
    if (data === undefined || data === '[DONE]') continue
    for (const { index, delta, finish_reason: reason } of JSON.parse(data).choices ?? []) {
      texts[index] += delta.content ?? ''
      if (reason !== null && reason !== undefined) finished.push([index, reason])
    }
  }
  return { bytes, texts, finished, error }
}

/** The stream as a guard with these options lets it out. */
export const guarded = (
  source: Source,
  options: Pick<WindowOptions, 'look' | 'texts'> & Partial<WindowOptions>,
): ReadyStream => new Pipe(source, new WindowMachine(source, { window: 30, reach: 24, maxBytes: 1 << 20, ...options }))

export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Cards of a text, as a check finds them. */
export const cardsOf = (text: string): TextEdits =>
  [...text.matchAll(/\d{4}(?: \d{4}){3}/g)].map(({ index, 0: card }) => ({
    start: index,
    end: index + card.length,
    text: '[CARD]',
  }))

/** A text that is cut anywhere. */
export const cut = (text: string, cuts: readonly number[]): string[] => {
  const at = [...new Set(cuts.map((each) => each % (text.length + 1)))].sort((left, right) => left - right)
  return [0, ...at].map((start, index) => text.slice(start, at[index]))
}

export const cutBytes = (bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] => {
  const at = [...new Set(cuts.map((each) => each % (bytes.length + 1)))].sort((left, right) => left - right)
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index])).filter(({ length }) => length > 0)
}

export const CARD = '4111 1111 1111 1111'

/** Words, ends of sentences, cards, and what might become one. */
export const anyText = fc
  .array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom('the ', 'model ', 'says ', 'so. ', 'Yes! ', 'a\n', 'é ', '🙂 ', '日本。', '12 '),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          CARD,
          `${CARD} `,
          '4111 1111 ',
          '1111',
          '4111 1111 1111 111',
          'secret',
          'secre',
          't ',
        ),
      },
      { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))

/** What 1 to 3 choices say, each cut anywhere, in any order among each other. */
export const anySaid = fc
  .record({
    texts: fc.array(anyText, { minLength: 1, maxLength: 3 }),
    cuts: fc.array(fc.nat(2_000), { maxLength: 80 }),
    order: fc.infiniteStream(fc.nat(2)),
  })
  .map(({ texts, cuts, order }) => {
    const queues = texts.map((text) => cut(text, cuts))
    const said: Said[] = []
    for (const number of order) {
      const choice = number % texts.length
      const text = queues[choice]?.shift()
      if (text !== undefined) said.push({ choice, text })
      if (queues.every(({ length }) => length === 0)) break
    }
    return { texts, said }
  })
