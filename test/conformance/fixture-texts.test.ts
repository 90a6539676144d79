import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { answerTextBytes } from '#calls/answer-text'
import type { TextPlace } from '#core/guardrails'
import { decodeFrame, isRecord, SseFramer } from '#kit'
import { builtInEndpoints } from '../../plugins/built-in.ts'
import { loadFixtures } from '../../src/kit/testing/fixture.ts'
import { readStream, textAt } from '../support/stream-texts.ts'

const PROVIDERS = new URL('../../plugins/providers/', import.meta.url)

/** Recorded cases of forms whose endpoint has texts. */
const fixtures = readdirSync(PROVIDERS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: provider }) =>
    loadFixtures(new URL(`${provider}/fixtures/`, PROVIDERS)).flatMap(({ name, fixture }) => {
      const kind = builtInEndpoints.find(({ form }) => form === fixture.endpoint)
      return kind?.texts === undefined ? [] : [{ name: `${provider}/${name}`, fixture, kind, texts: kind.texts }]
    }),
  )

const bytesOf = (places: readonly TextPlace[]): number =>
  places.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)

const dataIn = (stream: string): readonly object[] =>
  new SseFramer().push(new TextEncoder().encode(stream)).flatMap((frame) => {
    const data = decodeFrame(frame)?.data ?? ''
    return data.startsWith('{') ? [JSON.parse(data)] : []
  })

describe('texts of what providers take and give', () => {
  test('stand where they are found', () => {
    let found = 0
    for (const { name, fixture, texts } of fixtures) {
      for (const place of texts.asked(fixture.request)) {
        expect([name, textAt(fixture.request, place)]).toEqual([name, place.text])
        found++
      }
    }
    expect(found).toBeGreaterThan(500)
  })

  test('are all that a model wrote in whole answers', () => {
    let found = 0
    for (const { name, fixture, texts } of fixtures) {
      const { reply } = fixture
      if (!isRecord(reply) || texts.answered === undefined) continue
      const places = texts.answered(reply)
      for (const place of places) expect([name, textAt(reply, place)]).toEqual([name, place.text])
      const { choices, content, output, candidates } = reply
      const written = answerTextBytes([choices, content, output, candidates].filter((each) => each !== undefined))
      expect([name, bytesOf(places) >= written]).toEqual([name, true])
      found += places.length
    }
    expect(found).toBeGreaterThan(130)
  })

  test('are the same in streams as in the answers that they add up to', () => {
    let compared = 0
    for (const { name, fixture, kind, texts } of fixtures) {
      const { chunks, stream } = fixture
      const events = (chunks ?? dataIn(kind.id === 'chat' ? '' : (stream ?? ''))) as readonly object[]
      if (events.length === 0 || kind.answer.kind !== 'events') continue
      const { tracks } = readStream(texts, events)
      const collector = kind.answer.form.collector()
      let whole: unknown
      try {
        for (const event of events) collector.add(event as Readonly<Record<string, unknown>>)
        whole = collector.whole()
      } catch {
        // Of one that failed: it adds up to nothing.
        continue
      }
      const letters = (texts: readonly string[]): string => [...texts.join('')].toSorted().join('')
      const said = texts.answered?.(whole as Readonly<Record<string, unknown>>) ?? []
      expect([name, letters(Object.values(tracks))]).toEqual([name, letters(said.map(({ text }) => text))])
      compared++
    }
    expect(compared).toBeGreaterThan(50)
  })
})
