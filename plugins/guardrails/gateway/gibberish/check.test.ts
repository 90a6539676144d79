import { describe, expect, test } from 'bun:test'
import sentences from '../language/fixtures/sentences.json'
import { runCheck } from '../test-support/run-check.ts'
import { gibberishCheck } from './check.ts'
import labelled from './fixtures/labelled.json'
import { lettersOfSlides } from './keyboard.ts'

const run = (...texts: string[]) => runCheck(gibberishCheck, { timeout: 5000 }, texts)
const isRefused = async (text: string): Promise<boolean> => !(await run(text)).verdict

const refusedOf = async (texts: readonly string[]): Promise<string[]> => {
  const refused: string[] = []
  for (const text of texts) if (await isRefused(text)) refused.push(text)
  return refused
}

// The examples were written for this test: keys pressed at random, and what people and programs write, in many languages.
describe('of the labelled examples', () => {
  test('nearly all gibberish is refused', async () => {
    const refused = await refusedOf(labelled.gibberish)
    expect(refused.length / labelled.gibberish.length).toBeGreaterThanOrEqual(0.95)
  })

  test('nothing sensible is, but words that were made to look like gibberish', async () => {
    expect(await refusedOf(labelled.sensible)).toEqual([
      'rhythm myrrh nymph lynx crypt tryst',
      "Mxyzptlk Cthulhu R'lyeh wgah'nagl fhtagn",
    ])
  })

  test('no sentence of 48 languages is', async () => {
    expect(await refusedOf(Object.values(sentences).flat())).toEqual([])
  })
})

describe('gateway.gibberish', () => {
  test('says of each text what it is', async () => {
    expect(await run('Please summarise the report.', 'asdkjfh aksjdhf kjashdfkj', 'ok')).toEqual({
      verdict: false,
      data: { gibberish: [false, true, null] },
    })
  })

  test('judges a long text by most of it', async () => {
    const sense = 'Please summarise the attached report in three bullet points. '
    const mash = 'asdkjfh aksjdhf kjashdfkj ahsdkfjh sldkfj weoiru '
    expect(await isRefused(sense.repeat(60) + mash.repeat(5))).toBe(false)
    expect(await isRefused(sense + mash.repeat(60))).toBe(true)
  })

  test('lets code pass between its fences', async () => {
    expect(await run(`\`\`\`\n${'xqzv wkjp bvtq zxrw pqmk hgtz\n'.repeat(10)}\`\`\``)).toEqual({
      verdict: true,
      data: { gibberish: [null] },
    })
  })

  test.each([
    ['letters', 'a'.repeat(1_000_000)],
    ['keys', 'qwerty'.repeat(160_000)],
    ['blanks', ' '.repeat(1_000_000)],
    ['short words', 'abc '.repeat(250_000)],
  ])('a megabyte of %s takes no time to speak of', async (_, text) => {
    const startedMs = performance.now()
    await run(text)
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  })
})

test.each([
  ['qwerty', 6],
  ['poiuyt', 6],
  ['asdfasdf', 8],
  ['property', 4],
  ['hello', 0],
  ['фывапролд', 9],
  ['azerty', 6],
  ['', 0],
])('%s has %i letters of slides over the keys', (word, letters) => {
  expect(lettersOfSlides(word)).toBe(letters)
})
