import { describe, expect, test } from 'bun:test'
import type { ResetSchedule } from '../core/budgets.ts'
import { periodAt, reschedule } from './schedule.ts'

const ms = (text: string): number => Date.parse(`${text}Z`)
const SET = ms('2026-11-18T15:30:00')
const since = { startMs: SET, setAtMs: SET }

const shown = (schedule: ResetSchedule, at: string): readonly (string | undefined)[] => {
  const { startMs, endMs } = periodAt(schedule, ms(at))
  return [new Date(startMs).toISOString(), endMs === undefined ? undefined : new Date(endMs).toISOString()]
}

describe('the period of a budget', () => {
  test.each<[string, Omit<ResetSchedule, 'since'>, string, string, string | undefined]>([
    ['never ends', {}, '2031-01-01T00:00:00', '2026-11-18T15:30:00.000Z', undefined],
    [
      'its first week',
      { every: 'week' },
      '2026-11-20T00:00:00',
      '2026-11-18T15:30:00.000Z',
      '2026-11-23T00:00:00.000Z',
    ],
    ['a week', { every: 'week' }, '2026-11-23T00:00:00', '2026-11-23T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    [
      'its last moment',
      { every: 'week' },
      '2026-11-29T23:59:59.999',
      '2026-11-23T00:00:00.000Z',
      '2026-11-30T00:00:00.000Z',
    ],
    ['a month', { every: 'month' }, '2028-02-29T12:00:00', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    [
      'a year that ends',
      { every: 'month' },
      '2026-12-31T23:59:59',
      '2026-12-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ],
    ['its first days', { every: 10 }, '2026-11-27T00:00:00', '2026-11-18T15:30:00.000Z', '2026-11-28T00:00:00.000Z'],
    ['days', { every: 10 }, '2026-11-28T00:00:00', '2026-11-28T00:00:00.000Z', '2026-12-08T00:00:00.000Z'],
    [
      'before days from a time',
      { every: 2, firstResetMs: ms('2026-12-01T00:00:00') },
      '2026-11-30T23:59:59',
      '2026-11-18T15:30:00.000Z',
      '2026-12-01T00:00:00.000Z',
    ],
    [
      'days from a time',
      { every: 2, firstResetMs: ms('2026-12-01T00:00:00') },
      '2026-12-04T00:00:00',
      '2026-12-03T00:00:00.000Z',
      '2026-12-05T00:00:00.000Z',
    ],
    [
      'weeks from a time',
      { every: 'week', firstResetMs: ms('2026-12-02T00:00:00') },
      '2026-12-03T00:00:00',
      '2026-12-02T00:00:00.000Z',
      '2026-12-07T00:00:00.000Z',
    ],
    [
      'weeks that have not begun',
      { every: 'week', firstResetMs: ms('2026-12-02T00:00:00') },
      '2026-11-30T12:00:00',
      '2026-11-18T15:30:00.000Z',
      '2026-12-02T00:00:00.000Z',
    ],
    [
      'one reset',
      { firstResetMs: ms('2026-12-02T00:00:00') },
      '2030-01-01T00:00:00',
      '2026-12-02T00:00:00.000Z',
      undefined,
    ],
  ])('%s', (_name, schedule, at, start, end) => {
    expect(shown({ ...schedule, since }, at)).toEqual([start, end])
  })

  test('goes on when the schedule is changed in it, until the first reset of the new one', () => {
    const weekly: ResetSchedule = { every: 'week', since: { startMs: 0, setAtMs: 0 } }
    const monthly = reschedule({ every: 'month' }, weekly, SET)
    expect(shown(monthly, '2026-11-18T15:30:01')).toEqual(['2026-11-16T00:00:00.000Z', '2026-12-01T00:00:00.000Z'])
    expect(shown(monthly, '2026-12-01T00:00:00')).toEqual(['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'])
  })

  test('is left alone by a change to the same', () => {
    const weekly: ResetSchedule = { every: 'week', since }
    expect(reschedule({ every: 'week' }, weekly, SET + 1)).toBe(weekly)
  })
})
