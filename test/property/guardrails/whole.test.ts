import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { StreamMode } from '../../../src/core/guardrails.ts'
import { defineCheck, t } from '../../../src/kit/index.ts'
import { guard, guardrailOf } from './guarded.ts'
import { anySaid, bytesOf, cutBytes, Source, textOf } from './streams.ts'

/** Looks at all of the texts: says nothing of a part. */
const redactsWhole = defineCheck({
  id: 'test.redactsWhole',
  summary: 'Puts a word in the place of a number of a card.',
  parameters: t.Object({}),
  stages: ['output'],
  run: async ({ texts }) => ({
    verdict: true,
    texts: texts.map((text) => text.replaceAll(/\d{4}(?: \d{4}){3}/g, '[CARD]')),
  }),
})

const refusesWhole = defineCheck({
  id: 'test.refusesWhole',
  summary: 'Passes unless a text has the word.',
  parameters: t.Object({ later: t.Boolean({ default: false }) }),
  stages: ['output'],
  run: ({ texts }, { later }) => {
    const verdict = { verdict: !texts.some((text) => text.includes('secret')) }
    return later ? Promise.resolve(verdict) : verdict
  },
})

const breaks = defineCheck({
  id: 'test.breaks',
  summary: 'Never can tell.',
  parameters: t.Object({ whole: t.Boolean() }),
  stages: ['output'],
  prepare: ({ whole }) => ({
    run: () => Promise.reject(new Error('out of order')),
    ...(whole ? {} : { reach: 5 }),
  }),
})

const anyStream = fc.record({
  spoken: anySaid,
  byteCuts: fc.array(fc.nat(20_000), { maxLength: 40 }),
  late: fc.func(fc.boolean()),
  later: fc.boolean(),
})

const redacted = (text: string): string => text.replaceAll(/\d{4}(?: \d{4}){3}/g, '[CARD]')

describe('a buffer, wherever the stream is cut', () => {
  test('lets out what checks of the whole have made of it', async () => {
    await fc.assert(
      fc.asyncProperty(anyStream, async ({ spoken: { texts, said }, byteCuts, late }) => {
        const bytes = bytesOf(said, texts.length)
        const source = new Source(cutBytes(bytes, byteCuts), late)
        const outcome = await guard(source, [guardrailOf(redactsWhole, {}, { stream_mode: 'buffer' })], texts.length)
        expect(outcome.error).toBeUndefined()
        expect(outcome.texts).toEqual(texts.map(redacted))
        if (texts.every((text) => text === redacted(text))) expect(outcome.bytes).toBe(textOf(bytes))
      }),
      { numRuns: 200 },
    )
  })

  test('lets nothing out of what is refused', async () => {
    await fc.assert(
      fc.asyncProperty(anyStream, async ({ spoken: { texts, said }, byteCuts, late, later }) => {
        const source = new Source(cutBytes(bytesOf(said, texts.length), byteCuts), late)
        const guardrail = guardrailOf(refusesWhole, { later }, { stream_mode: 'buffer' })
        const outcome = await guard(source, [guardrail], texts.length)
        const isRefused = texts.some((text) => text.includes('secret'))
        expect(outcome.deniedBy).toBe(isRefused ? 'guardrail-1' : undefined)
        expect(outcome.texts).toEqual(isRefused ? texts.map(() => '') : texts)
        expect(source.isCancelled).toBe(isRefused)
      }),
      { numRuns: 200 },
    )
  })
})

test('in a window a check of the whole refuses before the last part goes out', async () => {
  await fc.assert(
    fc.asyncProperty(anyStream, async ({ spoken: { texts, said }, byteCuts, late, later }) => {
      const source = new Source(cutBytes(bytesOf(said, texts.length), byteCuts), late)
      const outcome = await guard(source, [guardrailOf(refusesWhole, { later })], texts.length)
      const isRefused = texts.some((text) => text.includes('secret'))
      expect(outcome.error !== undefined || outcome.deniedBy !== undefined).toBe(isRefused)
      if (isRefused) expect(outcome.bytes).not.toContain('[DONE]')
      else expect(outcome.texts).toEqual(texts)
    }),
    { numRuns: 200 },
  )
})

describe.each<StreamMode>(['after', 'window', 'buffer'])('a check that fails by itself, with `%s`', (stream_mode) => {
  test.each([true, false])('lets the stream pass byte by byte, and says so (of the whole: %p)', async (whole) => {
    await fc.assert(
      fc.asyncProperty(anyStream, async ({ spoken: { texts, said }, byteCuts, late }) => {
        const bytes = bytesOf(said, texts.length)
        const source = new Source(cutBytes(bytes, byteCuts), late)
        const outcome = await guard(source, [guardrailOf(breaks, { whole }, { stream_mode })], texts.length)
        expect([outcome.error, outcome.bytes]).toEqual([undefined, textOf(bytes)])
        for (const { verdict, checks } of outcome.reports) {
          expect([verdict, checks[0]?.error?.message]).toEqual([true, 'out of order'])
        }
      }),
      { numRuns: 60 },
    )
  })
})
