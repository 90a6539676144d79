import { expect, test } from 'bun:test'
import { questionOf, readFilters, timeOf } from './filters.ts'

test('an address says what it can, and the rest is left out', () => {
  expect(
    readFilters({
      model: 'mock',
      status_code: 429,
      ended: 'badly',
      search: 'word',
      unknown: 'x',
      user: '',
      range: '9y',
    }),
  ).toEqual({ model: 'mock', status_code: '429', ended: 'badly', search: 'word' })
  expect(readFilters({ ended: 'so so', model: { a: 1 }, from: '2026-01-01T00:00:00Z' })).toEqual({})
})

test('metadata stays JSON, as the interface wants it', () => {
  expect(readFilters({ metadata: { team: 'blue' } })).toEqual({ metadata: '{"team":"blue"}' })
  expect(readFilters({ metadata: '{"team":"blue"}' })).toEqual({ metadata: '{"team":"blue"}' })
})

test('the question has the words of the interface', () => {
  expect(questionOf({ ended: 'badly', user: 'ada', search: 'word' })).toEqual({ is_success: false, user: 'ada' })
  expect(questionOf({})).toEqual({})
})

test('without a time all that is kept is meant; both ends win over a range', () => {
  expect(timeOf({ model: 'mock' })).toEqual({})
  const [from, to] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
  expect(timeOf({ range: '1h', from, to })).toEqual({ time_of_generation_min: from, time_of_generation_max: to })
})
