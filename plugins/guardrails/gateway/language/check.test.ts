import { describe, expect, test } from 'bun:test'
import { inputOf, noPowers, runCheck } from '../test-support/run-check.ts'
import { languageCheck } from './check.ts'
import { guesser, languageOf } from './detect.ts'
import sentences from './fixtures/sentences.json'
import { detectedAs, LANGUAGES, nameOf } from './languages.ts'

const run = (parameters: Record<string, unknown>, ...texts: string[]) =>
  runCheck(languageCheck, { not: false, timeout: 5000, ...parameters }, texts)

const ENGLISH = 'Where is the nearest train station, please?'
const GERMAN = 'Wo ist bitte der nächste Bahnhof?'

// Two sentences for each language, written for this test; Persian and Arabic have four in all.
describe('every language that can be told', () => {
  test.each(Object.entries(sentences))('%s', async (code, texts) => {
    for (const text of texts) {
      expect(await run({ language: code }, text)).toMatchObject({ verdict: true })
      expect(await run({ language: [code], not: true }, text)).toMatchObject({ verdict: false })
    }
  })

  test('has sentences here, and one of its own sort each', async () => {
    const told = LANGUAGES.filter((code) => detectedAs(code) !== undefined)
    expect(Object.keys(sentences).toSorted()).toEqual([...told].toSorted())
    expect(LANGUAGES).toHaveLength(49)
    const guess = await guesser()
    for (const [code, texts] of Object.entries(sentences)) {
      for (const text of texts) {
        const name = nameOf(languageOf(text, guess) ?? '')
        expect(detectedAs(LANGUAGES.find((each) => each === name) ?? 'arb_Latn')).toBe(
          detectedAs(LANGUAGES.find((each) => each === code) ?? 'arb_Latn'),
        )
      }
    }
  })
})

describe('gateway.language', () => {
  test('refuses another language, and says which', async () => {
    expect(await run({ language: ['deu_Latn', 'fra_Latn'] }, ENGLISH)).toEqual({
      verdict: false,
      data: { detected: ['eng_Latn'] },
    })
    expect(await run({ language: ['deu_Latn', 'eng_Latn'] }, ENGLISH, GERMAN)).toEqual({
      verdict: true,
      data: { detected: ['eng_Latn', 'deu_Latn'] },
    })
    expect(await run({ language: ['eng_Latn'] }, ENGLISH, GERMAN)).toMatchObject({ verdict: false })
    expect(await run({ language: ['fra_Latn'], not: true }, ENGLISH, GERMAN)).toMatchObject({ verdict: true })
  })

  test.each(['', 'ok', '42', '12:30 – 14:45', 'https://example.com/a/b', '```js\nconst x = await y()\n```', '🎉🎉🎉'])(
    'lets %j pass: too little to tell',
    async (text) => {
      expect(await run({ language: 'deu_Latn' }, text)).toEqual({ verdict: true, data: { detected: [null] } })
      expect(await run({ language: 'eng_Latn', not: true }, text)).toMatchObject({ verdict: true })
    },
  )

  test('looks at a long text in several places', async () => {
    const long = `${ENGLISH} Thank you. ${`${GERMAN} Der Bericht wird noch vor dem Ende der Woche fertig sein. `.repeat(60)}`
    expect(await run({ language: 'eng_Latn' }, long)).toEqual({ verdict: false, data: { detected: ['deu_Latn'] } })
  })

  test('does not take code for a language', async () => {
    const code = 'const total = items.reduce((sum, item) => sum + item.price, 0)\n'.repeat(40)
    expect(await run({ language: 'deu_Latn' }, `${GERMAN}\n\`\`\`js\n${code}\`\`\`\n${GERMAN}`)).toMatchObject({
      verdict: true,
    })
  })

  test('says which language it cannot tell, and names those that have no code', async () => {
    expect(await run({ language: ['eng_Latn', 'arb_Latn'] }, ENGLISH)).toEqual({
      verdict: true,
      data: { detected: ['eng_Latn'], notCovered: ['arb_Latn'] },
    })
    expect(await run({ language: 'eng_Latn' }, 'Որտե՞ղ է գտնվում մոտակա երկաթուղային կայարանը։')).toEqual({
      verdict: false,
      data: { detected: ['hy'] },
    })
  })

  test('answers at once when the detector is there', async () => {
    await guesser()
    const prepared = languageCheck.prepare({ language: 'eng_Latn', not: false, timeout: 5000 })
    expect(prepared.run(inputOf([ENGLISH]), noPowers)).not.toBeInstanceOf(Promise)
    expect(prepared.reach).toBeUndefined()
  })

  test.each([
    ['a megabyte of letters', 'a'.repeat(1_000_000)],
    ['points', 'a.'.repeat(500_000)],
    ['fences', '```'.repeat(300_000)],
    ['at signs', 'a@'.repeat(500_000)],
  ])('%s take no time to speak of', async (_, text) => {
    const startedMs = performance.now()
    await run({ language: 'eng_Latn' }, text)
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  })
})
