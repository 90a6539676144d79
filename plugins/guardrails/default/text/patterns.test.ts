import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { faultsOf, inputOf, powersOf, prepare, run, withTexts } from '../shared/test-support.ts'
import { contains } from './contains.ts'
import { regexMatch } from './regex-match.ts'
import { regexReplace } from './regex-replace.ts'

const FOX = 'The quick brown fox jumps over the lazy dog.'

describe('regexMatch', () => {
  test.each<readonly [rule: string, not: boolean, texts: readonly string[], verdict: boolean]>([
    ['quick.*fox', false, [FOX], true],
    ['zebra', false, [FOX], false],
    ['zebra', true, [FOX], true],
    ['(?<a>quick) (brown)', true, [FOX], false],
    ['^b$', false, ['a', 'b'], true],
    ['a\nb', false, ['a', 'b'], false],
  ])('%p, turned round: %p, in %j', async (rule, not, texts, verdict) => {
    expect((await run(regexMatch, { rule, not }, texts)).verdict).toBe(verdict)
  })

  test('shows the match, and the beginning of the text that has it', async () => {
    const { data } = await run(regexMatch, { rule: 'b+' }, ['first', `a${'b'.repeat(300)}`])
    expect(data).toMatchObject({ matchDetails: { matchedText: `${'b'.repeat(100)}...`, index: 1 } })
    expect(data).toMatchObject({ textExcerpt: `a${'b'.repeat(99)}...` })
  })

  test('no text is an error, blanks are not', async () => {
    for (const not of [false, true]) {
      const { verdict, error } = await run(regexMatch, { rule: 'a', not }, ['', ''])
      expect([verdict, error?.message]).toEqual([true, 'there is no text to look at'])
    }
    expect((await run(regexMatch, { rule: '\\s{3}' }, ['   '])).verdict).toBe(true)
    expect((await run(regexReplace, { rule: 'a' }, [''])).verdict).toBe(true)
  })

  test('a megabyte is searched at once, also for patterns on which backtracking takes years', async () => {
    const text = 'a'.repeat(1024 * 1024)
    for (const rule of ['(a+)+b', '(a|a)*b', '.*.*=.*']) {
      expect((await run(regexMatch, { rule }, [text])).verdict).toBe(false)
    }
  })

  test('can look at parts where a match is refused and has a longest length', () => {
    expect(prepare(regexMatch, { rule: '\\d{3}', not: true }).reach).toBe(5)
    expect(prepare(regexMatch, { rule: '\\d{3}' }).reach).toBeUndefined()
    expect(prepare(regexMatch, { rule: '\\d+', not: true }).reach).toBeUndefined()
    expect(prepare(regexMatch, { rule: '^\\d', not: true }).reach).toBeUndefined()
  })
})

describe('regexReplace', () => {
  test.each([
    ['\\d+', 'a1b22c', 'a[REDACTED]b[REDACTED]c'],
    ['/secret/i', 'my Secret SECRET', 'my [REDACTED] [REDACTED]'],
    ['/a.b/s', 'a\nb', '[REDACTED]'],
    ['/^x$/m', 'x\ny\nx', '[REDACTED]\ny\n[REDACTED]'],
    ['x*', 'axxb', 'a[REDACTED]b'],
    ['/', 'a/b', 'a[REDACTED]b'],
    ['\\bcat\\b', 'cat concat cat', '[REDACTED] concat [REDACTED]'],
  ])('%p in %p', async (rule, text, expected) => {
    expect((await run(regexReplace, { rule }, ['nothing, Ä', text])).texts).toEqual(['nothing, Ä', expected])
  })

  test('what it writes is no pattern of its own', async () => {
    expect((await run(regexReplace, { rule: 'b', redactText: '$&$1' }, ['abc'])).texts).toEqual(['a$&$1c'])
    expect((await run(regexReplace, { rule: 'b', redactText: '' }, ['abc'])).texts).toEqual(['ac'])
  })

  test('passes, unless matches shall fail', async () => {
    expect(await run(regexReplace, { rule: 'b' }, ['abc'])).toMatchObject({ verdict: true })
    expect(await run(regexReplace, { rule: 'b', failOnDetection: true }, ['abc'])).toMatchObject({ verdict: false })
    const untouched = await run(regexReplace, { rule: 'z', failOnDetection: true }, ['abc'])
    expect([untouched.verdict, untouched.texts]).toEqual([true, undefined])
  })

  test('takes out all that fits, as JavaScript would', async () => {
    const part = fc.constantFrom('123-45-6789', '1', '-', 'a', ' ', 'é', '😀')
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1 }), async (parts) => {
        const text = `x${parts.join('')}`
        const { texts = [text] } = await run(regexReplace, { rule: '\\b\\d{3}-\\d{2}-\\d{4}\\b' }, [text])
        expect(texts).toEqual([text.replaceAll(/\b\d{3}-\d{2}-\d{4}\b/g, '[REDACTED]')])
      }),
    )
  })
})

test('what could not be looked at does not get by', async () => {
  expect(prepare(regexReplace, { rule: 'a' }).failsClosed).toBe(true)
  expect(prepare(regexMatch, { rule: 'a', not: true }).failsClosed).toBe(true)
  expect(prepare(regexMatch, { rule: 'a' }).failsClosed).toBe(false)
  await expect(run(regexReplace, { rule: 'a(.*z)?' }, ['a'.repeat(1_000_000)])).rejects.toThrow(/too long/)
})

describe('a part of a stream', () => {
  const replace = prepare(regexReplace, { rule: '\\b\\d{2,4}\\b' })
  const redact = async (text: string, hasBefore: boolean, hasAfter: boolean) =>
    withTexts(await replace.run(inputOf({ texts: [text], part: { hasBefore, hasAfter } }), powersOf({})), [text])
      .texts?.[0] ?? text

  test('is left alone where what surrounds it decides', async () => {
    expect(await redact('123 a 12345 b 567', false, false)).toBe('[REDACTED] a 12345 b [REDACTED]')
    expect(await redact('123 a and b 567', true, true)).toBe('123 a and b 567')
    expect(await redact('a 123 and b 567', false, true)).toBe('a [REDACTED] and b 567')
  })

  test('what is changed in a part is what is changed in the whole, but near its edges', async () => {
    const text = fc.string({ unit: fc.constantFrom('1', '2', ' ', 'a'), maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(text, fc.nat(40), fc.nat(40), async (text, one, other) => {
        const [from, to] = [Math.min(one, other, text.length), Math.min(Math.max(one, other), text.length)]
        const decided = (at: number) => (from === 0 || at > from) && (to === text.length || at <= to - 5)
        const matches = text.matchAll(/\b\d{2,4}\b/g).filter(({ index }) => index >= from && decided(index))
        let expected = ''
        let kept = from
        for (const { 0: match, index } of matches) {
          if (index + match.length > to) continue
          expected += `${text.slice(kept, index)}[REDACTED]`
          kept = index + match.length
        }
        expect(await redact(text.slice(from, to), from > 0, to < text.length)).toBe(expected + text.slice(kept, to))
      }),
      { numRuns: 500 },
    )
  })

  test('a refusal does not hang on an edge', async () => {
    const refuse = prepare(regexMatch, { rule: '\\bcat\\b', not: true })
    const verdictOf = async (text: string, hasBefore: boolean, hasAfter: boolean) =>
      (await refuse.run(inputOf({ texts: [text], part: { hasBefore, hasAfter } }), powersOf({}))).verdict
    expect(await verdictOf('a cat', false, false)).toBe(false)
    expect(await verdictOf('a cat', false, true)).toBe(true)
    expect(await verdictOf('cat sat', true, true)).toBe(true)
    expect(await verdictOf('a cat sat', true, true)).toBe(false)
  })

  test('words that must not be there are found in parts, others are not', () => {
    expect(prepare(contains, { words: ['ab', 'abcd'], operator: 'none' }).reach).toBe(4)
    expect(prepare(contains, { words: ['ab'], operator: 'any' }).reach).toBeUndefined()
    expect(prepare(contains, { words: ['ab'], operator: 'all' }).reach).toBeUndefined()
  })
})

test.each([
  [regexMatch, { rule: '' }, 'rule must have at least 1 character'],
  [regexMatch, { rule: 'a(b' }, /^rule is no pattern: .*missing closing \).*\(at position 3\)$/],
  [regexMatch, { rule: 'a(?=b)' }, /^rule cannot be searched for: look-around .*\(at position 1\)$/],
  [regexReplace, { rule: '/a(/g' }, /^rule is no pattern: .*\(at position 2\)$/],
  [regexReplace, { rule: '/a/x' }, /^rule has the flag 'x'; known are: d, g, i, m, s, u, v$/],
])('%o %j is refused, and says where', (check, parameters, fault) => {
  expect(faultsOf(check, parameters).join('; ')).toMatch(fault)
})
