import { expect, test } from 'bun:test'
import type { Condition, Group, Measure, Question } from '../question.ts'
import {
  CALL_FACET,
  DAY_US,
  HOUR_US,
  MINUTE_US,
  MODEL_FACET,
  OUTCOME_FACET,
  QUARTER_DAY_US,
} from '../rollups/facets.ts'
import { partsOf } from './parts.ts'
import { cut, facetFor, fittingWidths } from './plan.ts'

const question = (groups: Group[], measures: Measure[], where: Condition[] = []): Question => ({
  from: 'calls',
  filter: { organisationId: 'o', from: 0, to: 10 * DAY_US, where },
  groups,
  measures,
})
const facet = (asked: Question): string | undefined => facetFor(asked, partsOf(asked).parts, (key) => key === '_user')
const count: Measure = { as: 'n', count: true }

test('a range is cut into the widest sums that fit, and records at its edges', () => {
  const from = DAY_US - HOUR_US - MINUTE_US - 1
  const to = 3 * DAY_US + HOUR_US + 2 * MINUTE_US
  expect(cut({ from, to }, [DAY_US, HOUR_US, MINUTE_US])).toEqual([
    { from, to: from + 1 },
    { from: from + 1, to: from + 1 + MINUTE_US, width: MINUTE_US },
    { from: DAY_US - HOUR_US, to: DAY_US, width: HOUR_US },
    { from: DAY_US, to: 3 * DAY_US, width: DAY_US },
    { from: 3 * DAY_US, to: 3 * DAY_US + HOUR_US, width: HOUR_US },
    { from: 3 * DAY_US + HOUR_US, to, width: MINUTE_US },
  ])
  expect(cut({ from: 5, to: 5 }, [DAY_US])).toEqual([])
})

test('a question takes the facet with the fewest rows that has all it needs', () => {
  expect(facet(question([{ as: 't', bucket: DAY_US }], [count, { as: 'c', sum: 'cost' }]))).toBe(MODEL_FACET)
  expect(facet(question([{ as: 'm', column: 'model' }], [count]))).toBe(MODEL_FACET)
  expect(facet(question([{ as: 's', column: 'status' }], [count]))).toBe(OUTCOME_FACET)
  expect(
    facet(
      question(
        [
          { as: 'm', column: 'model' },
          { as: 's', column: 'status' },
        ],
        [count],
      ),
    ),
  ).toBe(CALL_FACET)
  expect(facet(question([], [{ ...count, where: [{ column: 'apiKeyId', in: ['k'] }] }]))).toBe(CALL_FACET)
  expect(facet(question([], [{ as: 'u', uniqMetadata: '_user' }]))).toBe('_user')
  expect(facet(question([{ as: 'u', metadata: '_user' }], [count], [{ hasMetadata: '_user' }]))).toBe('_user')
})

test('what sums do not have is asked of records', () => {
  const asked: Question[] = [
    question([{ as: 'u', metadata: 'team' }], [count]),
    question([{ as: 'u', metadata: '_user' }], [count], [{ column: 'model', in: ['m'] }]),
    question([], [count], [{ column: 'totalTokens', min: 5 }]),
    question([], [count], [{ column: 'kind', in: ['attempt'] }]),
    question([], [count], [{ any: [{ weightedFeedback: {} }] }]),
    question([], [{ as: 'q', quantile: 'upstreamUs', at: 0.5 }]),
    question([], [{ as: 'm', max: 'cost' }]),
    { ...question([], [count]), from: 'feedback' },
  ]
  expect(asked.map(facet)).toEqual(asked.map(() => undefined))
})

test('sums are no wider than the buckets of the answer', () => {
  expect(fittingWidths(question([{ as: 't', bucket: 6 * HOUR_US }], [count]), OUTCOME_FACET)).toEqual([
    QUARTER_DAY_US,
    HOUR_US,
    MINUTE_US,
  ])
  expect(fittingWidths(question([{ as: 't', bucket: MINUTE_US }], [count]), '_user')).toEqual([])
  expect(fittingWidths(question([{ as: 't', bucket: 3 * HOUR_US }], [count]), MODEL_FACET)).toEqual([
    HOUR_US,
    MINUTE_US,
  ])
  expect(fittingWidths(question([], [count]), CALL_FACET)).toEqual([DAY_US, HOUR_US, MINUTE_US])
})
