import type { CounterStats } from '../budgets/counters.ts'
import { defined } from '../core/defined.ts'
import type { MetricInfo, Metrics } from '../core/metrics.ts'
import type { Gateway } from './gateway.ts'
import type { OwnLimits } from './open-limits.ts'
import type { RecordsStats } from './records.ts'

export interface CountedParts {
  readonly gateway: Gateway
  readonly limits: OwnLimits['state']
  readonly records: () => RecordsStats
  readonly counters: () => CounterStats
}

/** Numbers of the parts of a gateway that have no plugin to give them. */
export const countGateway = (metrics: Metrics, { gateway, limits, records, counters }: CountedParts): void => {
  const gauge = (
    name: string,
    description: string,
    unit: string,
    read: () => number,
    across?: MetricInfo['across'],
  ): void => metrics.gauge({ name, description, unit, ...defined({ across }) }, () => [[read()]])
  gauge('weir.calls.running', 'Calls in flight.', '{call}', () => gateway.calls.running)
  gauge(
    'weir.limits.local',
    '1 while this process counts limits by itself, as Redis is away.',
    '1',
    () => (limits() === 'local' ? 1 : 0),
    'max',
  )
  gauge('weir.spool.rows', 'Records that wait for the store.', '{row}', () => records().rows)
  gauge('weir.spool.bytes', 'What they take on disk.', 'By', () => records().bytes)
  gauge('weir.spool.age.seconds', 'Age of the oldest of them.', 's', () => records().oldestMs / 1000, 'max')
  gauge(
    'weir.spool.durable',
    '0 while records are in memory alone, and would be lost with the process.',
    '1',
    () => (records().durable ? 1 : 0),
    'min',
  )
  metrics.reading(
    { name: 'weir.spool.dropped', description: 'Rows that found no room, or could not be kept.', unit: '{row}' },
    () => Object.entries(records().dropped).map(([kind, count]) => [count, { kind }] as const),
  )
  metrics.reading(
    { name: 'weir.spool.quarantined', description: 'Rows that the store refuses, set aside.', unit: '{row}' },
    () => [[records().quarantined]],
  )
  metrics.reading(
    {
      name: 'weir.spool.flush.failures',
      description: 'Attempts to store a batch that failed; they are repeated.',
      unit: '{attempt}',
    },
    () => [[records().failures]],
  )
  gauge('weir.budget.counters', 'Counts of budgets in memory.', '{count}', () => counters().counters)
  gauge(
    'weir.budget.ledger.ok',
    '0 while the ledger cannot be reached: budgets go on from memory.',
    '1',
    () => (records().ledger?.isOk === false ? 0 : 1),
    'min',
  )
  metrics.reading(
    {
      name: 'weir.budget.ledger.failures',
      description: 'Times that the ledger could not be asked; they are repeated.',
      unit: '{attempt}',
    },
    () => [[records().ledger?.failures ?? 0]],
  )
  metrics.reading(
    {
      name: 'weir.budget.unkept',
      description: 'Charges whose record found no room: no other process will know of them.',
      unit: '{charge}',
    },
    () => [[counters().unkept]],
  )
}
