import { expect, test } from 'bun:test'
import { applyEdits } from '#core/text-edits'
import { countHits, type Hit, inOrder, Redaction, settled } from './hits.ts'

const redact = (redaction: Redaction, text: string, hits: readonly Hit[]): string =>
  applyEdits(text, redaction.edits(text, hits))

const CATEGORIES = ['SURE', 'LIKELY'] as const

test('hits that overlap become one, of the surer category', () => {
  expect(
    inOrder(
      [
        { start: 20, end: 25, category: 'SURE' },
        { start: 4, end: 9, category: 'SURE' },
        { start: 0, end: 5, category: 'LIKELY' },
        { start: 9, end: 12, category: 'LIKELY' },
      ],
      CATEGORIES,
    ),
  ).toEqual([
    { start: 0, end: 9, category: 'SURE' },
    { start: 9, end: 12, category: 'LIKELY' },
    { start: 20, end: 25, category: 'SURE' },
  ])
})

test('the same value has the same placeholder in all texts, however it is written', () => {
  const redaction = new Redaction()
  const hit = (text: string, value: string, category: string) => {
    const start = text.indexOf(value)
    return { start, end: start + value.length, category }
  }
  const first = 'Jane@Example.com or 4111 1111'
  expect(redact(redaction, first, [hit(first, 'Jane@Example.com', 'EMAIL'), hit(first, '4111 1111', 'CARD')])).toBe(
    '{{EMAIL_1}} or {{CARD_1}}',
  )
  const second = '4111-1111, 5555-5555, jane@example.com'
  const hits = [
    hit(second, '4111-1111', 'CARD'),
    hit(second, '5555-5555', 'CARD'),
    hit(second, 'jane@example.com', 'EMAIL'),
  ]
  expect(redact(redaction, second, hits)).toBe('{{CARD_1}}, {{CARD_2}}, {{EMAIL_1}}')
  expect(countHits(hits)).toEqual({ CARD: 2, EMAIL: 1 })
  expect(redact(redaction, 'nothing', [])).toBe('nothing')
})

test('at the cuts of a part nothing counts that may be another thing in the whole', () => {
  const hits = [0, 9, 10, 70, 85].map((start) => ({ start, end: start + 12, category: 'CARD' }))
  const text = 'x'.repeat(100)
  const startsOf = (hasBefore: boolean, hasAfter: boolean, reach = 20) =>
    settled(hits, text, { hasBefore, hasAfter }, reach).map(({ start }) => start)
  expect(settled(hits, text, undefined, 20)).toEqual(hits)
  expect(startsOf(true, false)).toEqual([10, 70, 85])
  expect(startsOf(false, true)).toEqual([0, 9, 10, 70])
  expect(startsOf(true, true)).toEqual([10, 70])
  // What is longer than what is held back would go out.
  expect(startsOf(false, true, 15)).toEqual([0, 9, 10, 70, 85])
})
