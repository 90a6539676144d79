import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { contains } from '../../../plugins/guardrails/default/text/contains.ts'
import { regexMatch } from '../../../plugins/guardrails/default/text/regex-match.ts'
import { regexReplace } from '../../../plugins/guardrails/default/text/regex-replace.ts'
import { piiCheck } from '../../../plugins/guardrails/gateway/pii/check.ts'
import { secretsCheck } from '../../../plugins/guardrails/gateway/secrets/check.ts'
import type { CompiledGuardrail } from '../../../src/calls/guardrails/compile.ts'
import { TextContent } from '../../../src/calls/guardrails/content.ts'
import { runGuardrails } from '../../../src/calls/guardrails/run-guardrails.ts'
import { CONTEXT, guard, guardrailOf } from './guarded.ts'
import { anySaid, bytesOf, cut, cutBytes, Source } from './streams.ts'

/** What becomes of whole texts. */
const whole = async (texts: readonly string[], guardrails: readonly CompiledGuardrail[]) => {
  const { content, deniedBy } = await runGuardrails([guardrails], new TextContent(texts), CONTEXT)
  return { texts: content.texts, isRefused: deniedBy !== undefined }
}

const anyStream = fc.record({
  spoken: anySaid,
  byteCuts: fc.array(fc.nat(20_000), { maxLength: 40 }),
  late: fc.func(fc.boolean()),
})

describe.each([
  ['a word', guardrailOf(contains, { words: ['secret', '1111 4111'], operator: 'none' })],
  ['a pattern', guardrailOf(regexMatch, { rule: '\\bsecret\\b', not: true })],
  ['a pattern of digits', guardrailOf(regexMatch, { rule: '\\b\\d{4}( \\d{4}){3}\\b', not: true })],
] as const)('%s that is refused', (_, guardrail) => {
  test('is refused in a stream as in a whole answer, and never goes out', async () => {
    await fc.assert(
      fc.asyncProperty(anyStream, async ({ spoken: { texts, said }, byteCuts, late }) => {
        const source = new Source(cutBytes(bytesOf(said, texts.length), byteCuts), late)
        const outcome = await guard(source, [guardrail], texts.length)
        const { isRefused } = await whole(texts, [guardrail])
        expect(outcome.error !== undefined || outcome.deniedBy !== undefined).toBe(isRefused)
        expect(outcome.reports.map(({ verdict }) => verdict)).toEqual(
          texts.every((text) => text === '') ? [] : [!isRefused],
        )
        expect((await whole(outcome.texts, [guardrail])).isRefused).toBe(false)
        expect(source.isCancelled).toBe(isRefused)
        if (!isRefused) expect(outcome.texts).toEqual(texts)
      }),
      { numRuns: 300 },
    )
  })
})

describe.each([
  ['a pattern', guardrailOf(regexReplace, { rule: '\\b\\d{4}( \\d{4}){3}\\b', redactText: '[CARD]' })],
  ['a word', guardrailOf(regexReplace, { rule: '/secre?t?/i', redactText: '*' })],
  ['an end of line', guardrailOf(regexReplace, { rule: ' ?[\\n!.]', redactText: '' })],
  ['personal data', guardrailOf(piiCheck(undefined), { categories: ['CREDIT_CARD'], redact: true })],
] as const)('%s that is replaced', (_, guardrail) => {
  test('is replaced in a stream as in a whole answer', async () => {
    await fc.assert(
      fc.asyncProperty(anyStream, async ({ spoken: { texts, said }, byteCuts, late }) => {
        const source = new Source(cutBytes(bytesOf(said, texts.length), byteCuts), late)
        const outcome = await guard(source, [guardrail], texts.length)
        expect(outcome.error).toBeUndefined()
        expect(outcome.texts).toEqual((await whole(texts, [guardrail])).texts)
      }),
      { numRuns: 300 },
    )
  })
})

describe('secrets among prose that repeats itself, which are replaced', () => {
  const guardrail = guardrailOf(secretsCheck, { redact: true, ignore: [], allowed: [], timeout: 5_000 })
  const PROSE = 'As I said before, the key is kept in a safe place and nobody is to read it. '
  const line = 'q3J0mX9zYt7LwVbN2cKdRfGhTjUiOpAs5e6D8F1kZxQvBnMmWyEuIrTo'
  const KEY = `-----BEGIN PRIVATE KEY-----\n${`${line}\n`.repeat(3)}-----END PRIVATE KEY-----`
  const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6'}`
  const anyProse = fc
    .tuple(
      fc.array(fc.constantFrom(PROSE, PROSE, `${KEY}\n`, `${TOKEN} `), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(4_000), { maxLength: 60 }),
    )
    .map(([parts, cuts]) => ({ text: parts.join(''), cuts }))

  test('are replaced in a stream as in a whole answer, each once, and none goes out', async () => {
    await fc.assert(
      fc.asyncProperty(anyProse, async ({ text, cuts }) => {
        const said = cut(text, cuts).map((each) => ({ choice: 0, text: each }))
        const source = new Source([bytesOf(said, 1)], () => false)
        const outcome = await guard(source, [guardrail], 1)
        const unnumbered = (made: string): string => made.replaceAll(/_\d+\}\}/g, '}}')
        const [expected = ''] = (await whole([text], [guardrail])).texts
        expect(outcome.error).toBeUndefined()
        expect(outcome.texts[0]).not.toContain(TOKEN.slice(0, 20))
        expect(outcome.texts[0]).not.toContain(line.slice(0, 20))
        expect(unnumbered(outcome.texts[0] ?? '')).toBe(unnumbered(expected))
      }),
      { numRuns: 300 },
    )
  })
})
