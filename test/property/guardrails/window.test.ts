import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { applyEdits, NO_EDITS, type TextEdits } from '#core/text-edits'
import { anySaid, bytesOf, CARD, cardsOf, chatStream, cutBytes, guarded, readAll, Source, textOf } from './streams.ts'

const DENIED = new Error('denied')

const redact = (text: string): string => applyEdits(text, cardsOf(text))
const refuse = (text: string): TextEdits => {
  if (text.includes('secret')) throw DENIED
  return NO_EDITS
}

const anyStream = fc.record({
  ...{ spoken: anySaid },
  byteCuts: fc.array(fc.nat(20_000), { maxLength: 40 }),
  late: fc.func(fc.boolean()),
  window: fc.constantFrom(19, 24, 30, 60, 200),
})

const later = async <Value>(make: () => Value): Promise<Value> => {
  await new Promise((resolve) => setImmediate(resolve))
  return make()
}

describe.each(['at once', 'late', 'now and then'])('a window of a stream whose checks answer %s', (when) => {
  let looks = 0
  const looking =
    (look: (text: string) => TextEdits) =>
    (text: string): TextEdits | Promise<TextEdits> => {
      const isLate = when === 'late' || (when === 'now and then' && looks++ % 3 === 0)
      return isLate ? later(() => look(text)) : look(text)
    }

  test('changes what a check changes, wherever the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyStream, async ({ spoken: { texts, said }, byteCuts, late, window }) => {
        const bytes = bytesOf(said, texts.length)
        const source = new Source(cutBytes(bytes, byteCuts), late)
        const stream = guarded(source, { texts: chatStream(), look: looking(cardsOf), window })
        const outcome = await readAll(stream, texts.length)
        expect(outcome.error).toBeUndefined()
        expect(outcome.texts).toEqual(texts.map(redact))
        if (!texts.some((text) => text !== redact(text))) expect(outcome.bytes).toBe(textOf(bytes))
      }),
      { numRuns: 400 },
    )
  })

  test('never lets out what a check refuses', async () => {
    await fc.assert(
      fc.asyncProperty(anyStream, async ({ spoken: { texts, said }, byteCuts, late, window }) => {
        const bytes = bytesOf(said, texts.length)
        const source = new Source(cutBytes(bytes, byteCuts), late)
        const stream = guarded(source, { texts: chatStream(), look: looking(refuse), window })
        const outcome = await readAll(stream, texts.length)
        const isRefused = texts.some((text) => text.includes('secret'))
        for (const [index, text] of outcome.texts.entries()) {
          expect(text).not.toContain('secret')
          expect(texts[index]?.startsWith(text)).toBe(true)
        }
        if (isRefused) {
          expect(outcome.error).toBe(DENIED)
          expect(outcome.bytes).not.toContain('[DONE]')
          if (outcome.bytes !== '') expect(outcome.finished.at(-1)?.[1]).toBe('content_filter')
        } else expect(outcome.bytes).toBe(textOf(bytes))
      }),
      { numRuns: 400 },
    )
  })
})

test('a card that is said letter by letter is not let out', async () => {
  const text = `My card is ${CARD}. ${'And so on. '.repeat(40)}`
  const said = [...text].map((each) => ({ choice: 0, text: each }))
  const stream = guarded(new Source([bytesOf(said, 1)], () => false), { texts: chatStream(), look: cardsOf })
  expect((await readAll(stream, 1)).texts).toEqual([redact(text)])
})
