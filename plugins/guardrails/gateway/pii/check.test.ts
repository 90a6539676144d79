import { describe, expect, test } from 'bun:test'
import type { CheckPowers, CheckRequest, CheckResponse } from '#kit'
import { InvalidParameters } from '#kit'
import { noPowers, runCheck } from '../test-support/run-check.ts'
import { piiCheck } from './check.ts'
import type { PresidioSettings } from './presidio.ts'

const PRESIDIO: PresidioSettings = { url: 'http://presidio:3000', language: 'en', scoreThreshold: 0.5 }
const DEFAULTS = { redact: false, phoneRegions: ['US'], timeout: 5000 }

/** Powers of a check whose server answers so; what it is asked is kept. */
const answering = (answer: (request: CheckRequest) => { status?: number; body: unknown }) => {
  const asked: { url: string; body: unknown }[] = []
  const powers: CheckPowers = {
    ...noPowers,
    fetch: async (url, request = {}): Promise<CheckResponse> => {
      asked.push({ url, body: request.body })
      const { status = 200, body } = answer(request)
      const text = JSON.stringify(body)
      return {
        status,
        headers: new Headers(),
        bytes: Buffer.from(text),
        text: () => text,
        json: () => JSON.parse(text),
      }
    },
  }
  return { powers, asked }
}

const run = (
  parameters: Record<string, unknown>,
  texts: readonly string[],
  { presidio, powers }: { presidio?: PresidioSettings; powers?: CheckPowers } = {},
) => runCheck(piiCheck(presidio), { ...DEFAULTS, ...parameters }, texts, powers)

const TEXTS = ['Card 4111 1111 1111 1111 of jane@example.com', 'again 4111-1111-1111-1111', 'nothing']

describe('gateway.pii', () => {
  test('refuses what it finds, and says how many of what, but never what', async () => {
    const verdict = await run({ categories: ['CREDIT_CARD', 'EMAIL_ADDRESS'] }, TEXTS)
    expect(verdict).toEqual({ verdict: false, data: { categories: { CREDIT_CARD: 2, EMAIL_ADDRESS: 1 } } })
  })

  test('passes what holds nothing of the kind', async () => {
    expect(await run({ categories: ['SSN'] }, TEXTS)).toEqual({ verdict: true, data: { categories: {} } })
    expect(await run({ categories: ['SSN'], redact: true }, TEXTS)).toEqual({ verdict: true, data: { categories: {} } })
  })

  test('redacts, and passes', async () => {
    expect(await run({ categories: ['CREDIT_CARD', 'EMAIL_ADDRESS'], redact: true }, TEXTS)).toEqual({
      verdict: true,
      data: { categories: { CREDIT_CARD: 2, EMAIL_ADDRESS: 1 } },
      texts: ['Card {{CREDIT_CARD_1}} of {{EMAIL_ADDRESS_1}}', 'again {{CREDIT_CARD_1}}', 'nothing'],
    })
  })

  test('says what it cannot see', async () => {
    expect(await run({ categories: ['NAME', 'SSN', 'LOCATION_ADDRESS'] }, ['I am Jane Doe of Berlin'])).toEqual({
      verdict: true,
      data: { categories: {}, notCovered: ['NAME', 'LOCATION_ADDRESS'] },
    })
  })

  test('can look at a stream piece by piece, unless a model is asked', () => {
    const reachOf = (categories: readonly string[], presidio?: PresidioSettings) =>
      piiCheck(presidio).prepare({ ...DEFAULTS, categories }).reach
    expect(reachOf(['CREDIT_CARD'])).toBeGreaterThanOrEqual('4 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1'.length)
    expect(reachOf(['CREDIT_CARD', 'EMAIL_ADDRESS'])).toBeLessThanOrEqual(200)
    expect(reachOf(['CREDIT_CARD', 'NAME'], PRESIDIO)).toBeUndefined()
    expect(reachOf(['CREDIT_CARD'], PRESIDIO)).toBeDefined()
  })

  test('refuses countries that there are not', () => {
    const prepare = () =>
      piiCheck(undefined).prepare({ ...DEFAULTS, categories: ['PHONE_NUMBER'], phoneRegions: ['US', 'XX'] })
    expect(prepare).toThrow(InvalidParameters)
    expect(prepare).toThrow("phoneRegions[1] 'XX' is no country with phone numbers")
  })
})

describe('with a Presidio analyzer', () => {
  const categories = ['NAME', 'LOCATION_ADDRESS', 'EMAIL_ADDRESS']
  // The request and answer of "Analyze Text" in Presidio's API description (docs/api-docs/api-docs.yml, read 2026), with other words.
  const found = (text: string, ...words: [string, string][]) =>
    words.map(([entity_type, word]) => {
      const start = [...text.slice(0, text.indexOf(word))].length
      return { entity_type, start, end: start + [...word].length, score: 0.85, analysis_explanation: null }
    })

  test('names and places are found, also behind an emoji, which Python counts as one', async () => {
    const text = '😀 Jane Doe of 𝓑erlin, jane@example.com'
    const { powers, asked } = answering(() => ({ body: found(text, ['PERSON', 'Jane Doe'], ['LOCATION', '𝓑erlin']) }))
    const verdict = await run({ categories, redact: true }, [text], { presidio: PRESIDIO, powers })
    expect(verdict).toEqual({
      verdict: true,
      data: { categories: { NAME: 1, LOCATION_ADDRESS: 1, EMAIL_ADDRESS: 1 } },
      texts: ['😀 {{NAME_1}} of {{LOCATION_ADDRESS_1}}, {{EMAIL_ADDRESS_1}}'],
    })
    expect(asked).toEqual([
      {
        url: 'http://presidio:3000/analyze',
        body: { text, language: 'en', score_threshold: 0.5, entities: ['PERSON', 'LOCATION'] },
      },
    ])
  })

  test('it is not asked for what has a form of its own', async () => {
    const { powers, asked } = answering(() => ({ body: [] }))
    await run({ categories: ['EMAIL_ADDRESS'] }, ['a'], { presidio: PRESIDIO, powers })
    expect(asked).toEqual([])
  })

  test.each([
    ['an error', { status: 500, body: { error: 'jane@example.com' } }, 'answered with status 500'],
    ['no list', { body: { a: 1 } }, 'something else than a list'],
    ['a place beyond the text', { body: [{ entity_type: 'PERSON', start: 0, end: 1000 }] }, 'not in the text'],
    ['a place that is none', { body: [{ entity_type: 'PERSON', start: -1, end: 'x' }] }, 'not in the text'],
  ])('%s is an error, and what has a form counts all the same', async (_, answer, message) => {
    const { powers } = answering(() => answer)
    const refused = await run({ categories }, ['jane@example.com'], { presidio: PRESIDIO, powers })
    expect(refused).toMatchObject({ verdict: false, data: { categories: { EMAIL_ADDRESS: 1 } } })
    expect(refused.error?.message).toContain(message)
    expect(refused.error?.message).not.toContain('jane')
    expect(await run({ categories }, ['nothing'], { presidio: PRESIDIO, powers })).toMatchObject({ verdict: true })
  })
})
