import { describe, expect, test } from 'bun:test'
import { contains } from '../../../plugins/guardrails/default/text/contains.ts'
import { wordCount } from '../../../plugins/guardrails/default/text/counts.ts'
import { WindowMachine } from '../../../plugins/pipeline/guardrails/stream/window.ts'
import { Pipe } from '../../../src/core/bodies/pipe.ts'
import { LATER, type ReadyStream } from '../../../src/core/bodies/ready-stream.ts'
import { eventText } from '../../../src/core/bodies/sse.ts'
import { applyEdits } from '../../../src/core/text-edits.ts'
import { guard, guardrailOf } from './guarded.ts'
import { bytesOf, cardsOf, chatStream, guarded, readAll, Source } from './streams.ts'

const never = (): boolean => false
const redact = (text: string): string => applyEdits(text, cardsOf(text))

const SENTENCE = 'All of this is said one word after the other. '

describe('the bounds of what is held', () => {
  test('an event is larger than the window', async () => {
    const texts = [`${SENTENCE.repeat(300)}4111 1111 `, `1111 1111 ${SENTENCE.repeat(300)}`]
    const bytes = bytesOf(
      texts.map((text) => ({ choice: 0, text })),
      1,
    )
    const outcome = await readAll(guarded(new Source([bytes], never), { texts: chatStream(), look: cardsOf }), 1)
    expect(outcome.texts).toEqual([redact(texts.join(''))])
  })

  test('a long stream is held back by little more than a window', () => {
    const event = new TextEncoder().encode(
      eventText(
        JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: SENTENCE }, finish_reason: null }] }),
      ),
    )
    let left = 40_000
    let given = 0
    let taken = 0
    let most = 0
    const source: ReadyStream = {
      take() {
        if (left-- <= 0) return undefined
        given += event.length
        most = Math.max(most, given - taken)
        return event
      },
      whenReady: queueMicrotask,
      cancel: () => undefined,
    }
    const options = { texts: chatStream(), look: cardsOf, window: 200, reach: 24, maxBytes: 1 << 20 }
    const pipe = new Pipe(source, new WindowMachine(source, options))
    for (let piece = pipe.take(); piece !== undefined; piece = pipe.take()) {
      if (piece === LATER) throw new Error('a piece is late')
      taken += piece.length
    }
    expect(taken).toBe(40_000 * event.length)
    expect(most).toBeLessThan(20 * event.length)
  })

  test('a client that does not read has nothing read for it', () => {
    let read = 0
    const said = Array.from({ length: 1_000 }, () => ({ choice: 0, text: SENTENCE }))
    const event = bytesOf(said, 1)
    const source: ReadyStream = {
      take() {
        read++
        return event.subarray((read - 1) * 200, read * 200)
      },
      whenReady: queueMicrotask,
      cancel: () => undefined,
    }
    const options = { texts: chatStream(), look: cardsOf, window: 200, reach: 24, maxBytes: 1 << 20 }
    const pipe = new Pipe(source, new WindowMachine(source, options))
    expect(pipe.take()).toBeInstanceOf(Uint8Array)
    const before = read
    expect(pipe.take()).toBeInstanceOf(Uint8Array)
    expect(read - before).toBeLessThan(20)
  })

  test('one text that waits for another does not hold up more than there is room for', async () => {
    const said = [
      { choice: 0, text: 'The first one has little to say ' },
      ...Array.from({ length: 400 }, () => ({ choice: 1, text: SENTENCE })),
    ]
    const bytes = bytesOf(said, 2)
    const source = new Source([bytes], never)
    const stream = guarded(source, { texts: chatStream(), look: cardsOf, maxBytes: 8_000 })
    const outcome = await readAll(stream, 2)
    expect([outcome.error, outcome.bytes]).toEqual([undefined, new TextDecoder().decode(bytes)])
  })

  test('a buffer that is full is an error that says so', async () => {
    const said = Array.from({ length: 200 }, () => ({ choice: 0, text: SENTENCE }))
    const guardrail = guardrailOf(contains, { words: ['never'], operator: 'none' }, { stream_mode: 'buffer' })
    const source = new Source([bytesOf(said, 1)], never)
    await expect(guard(source, [guardrail], 1, { maxBytes: 10_000 })).rejects.toThrow('10000 bytes')
    expect(source.isCancelled).toBe(true)
  })

  test.each(['window', 'after'] as const)(
    'a check of the whole does not look at more, with `%s`',
    async (stream_mode) => {
      const said = Array.from({ length: 400 }, () => ({ choice: 0, text: SENTENCE }))
      const bytes = bytesOf(said, 1)
      const guardrail = guardrailOf(wordCount, { minWords: 1, maxWords: 10 }, { stream_mode })
      const outcome = await guard(new Source([bytes], never), [guardrail], 1, { maxBytes: 10_000 })
      expect(outcome.bytes).toBe(new TextDecoder().decode(bytes))
      expect(outcome.reports[0]?.checks[0]).toMatchObject({
        verdict: true,
        error: { message: 'the answer is longer than 10000 characters' },
      })
    },
  )

  test('what is no JSON is not let out unseen', async () => {
    const bytes = new TextEncoder().encode(`${eventText('{"choices":[')}`)
    const guardrail = guardrailOf(contains, { words: ['never'], operator: 'none' })
    await expect(guard(new Source([bytes], never), [guardrail], 1)).rejects.toThrow('not JSON')
  })
})
