import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { builtInEndpoints } from '../../../plugins/built-in.ts'
import { withTexts } from '../../../src/calls/guardrails/with-texts.ts'
import type { TextPlace } from '../../../src/core/guardrails.ts'
import { endpoint } from '../../support/endpoints.ts'
import { readStream, textAt } from '../../support/stream-texts.ts'
import { SAID, saidIn } from './said.ts'

type Fields = Readonly<Record<string, unknown>>

const sorted = (texts: readonly string[]): readonly string[] => texts.toSorted()

/** Nothing slips through, what is found stands where it is said to stand, and it can be changed there. */
const isFound = (body: object, places: readonly TextPlace[]): void => {
  expect(sorted(saidIn(places.map(({ text }) => text)))).toEqual(sorted(saidIn(body)))
  for (const place of places) expect(textAt(body, place)).toBe(place.text)
  const texts = places.map(({ text }) => text)
  expect(withTexts(body as Fields, places, texts)).toBe(body as Fields)
  const written = places.map(({ text, isJson }) => (isJson === true ? JSON.stringify(JSON.parse(text), null, 1) : text))
  expect(withTexts(body as Fields, places, written)).toEqual(body as Fields)
  const changed = withTexts(
    body as Fields,
    places,
    texts.map((text) => text.replaceAll(/said-\d+/g, 'kept')),
  )
  expect(saidIn(changed)).toEqual([])
}

test('every endpoint with texts is tried', () => {
  const ids = builtInEndpoints.filter(({ texts }) => texts !== undefined).map(({ id }) => id)
  expect(sorted(Object.keys(SAID))).toEqual(sorted(ids))
})

describe.each(Object.entries(SAID))('%s', (id, bodies) => {
  const { texts, answer } = endpoint(id)
  if (texts === undefined) throw new Error('it has no texts')

  test('finds all that is asked in the last turn', () => {
    fc.assert(
      fc.property(bodies.asked, (body) => {
        isFound(body, texts.asked(body as Fields))
      }),
    )
  })

  if (!('answered' in bodies)) return
  const answered = bodies.answered as fc.Arbitrary<object>

  test('finds all that is answered', () => {
    fc.assert(
      fc.property(answered, (body) => {
        isFound(body, texts.answered?.(body as Fields) ?? [])
      }),
    )
  })

  test('finds the same in a stream, whose texts are those of the answer that it adds up to', () => {
    if (answer.kind !== 'events') throw new Error('it has no streams')
    const { form } = answer
    fc.assert(
      fc.property(answered, (body) => {
        const chunks = [...(form.read(body)?.chunks(true) ?? [])] as Fields[]
        const { tracks, ends, isEnded } = readStream(texts, chunks)
        const collector = form.collector()
        for (const chunk of chunks) collector.add(chunk)
        const whole = texts.answered?.(collector.whole() as Fields) ?? []
        expect(joined(Object.values(tracks))).toBe(joined(whole.map(({ text }) => text)))
        if (!isEnded) expect(sorted(ends)).toEqual(sorted(Object.keys(tracks)))
      }),
    )
  })
})

/** Texts in any order, and in as many parts as there may be. */
const joined = (texts: readonly string[]): string =>
  sorted(texts.flatMap((text) => text.split(/(?=said-)/)).filter((text) => text !== '')).join('\n')
