import { findMeasurement, type Measurement, ratioBetween, type Wanted } from './measurement.ts'
import { digits, type MetricName } from './metrics.ts'
import { median } from './statistics.ts'

/** One promise, and what became of it. */
export interface Verdict {
  readonly what: string
  readonly target: string
  /** Empty when it was not measured. */
  readonly measured: string
  readonly met: boolean | undefined
}

interface Target {
  readonly what: string
  readonly sign: '≤' | '≥'
  readonly limit: number
  readonly unit: string
  readonly read: (measurements: readonly Measurement[]) => number | undefined
}

const times = (
  what: string,
  sign: Target['sign'],
  limit: number,
  one: Wanted,
  other: Partial<Wanted> = { lane: 'floor' },
): Target => ({ what, sign, limit, unit: '×', read: (all) => ratioBetween(all, one, { ...one, ...other }) })

const at = (what: string, limit: number, unit: string, wanted: Wanted): Target => ({
  what,
  sign: '≤',
  limit,
  unit,
  read: (all) => {
    const found = findMeasurement(all, wanted)
    return found && median(found.values)
  },
})

const chat = (lane: string, metric: MetricName): Wanted => ({ experiment: 'chat', lane, metric })
const atOneRate = (lane: string): Wanted => ({ experiment: 'pace', lane, metric: 'cpu' })
const stream = (lane: string): Wanted => ({ experiment: 'streams', lane, metric: 'eventCpu', setting: 'paced' })
const latency = (metric: MetricName): Wanted => ({ experiment: 'latency', lane: 'governed', metric })
const policies = (setting: string): Wanted => ({ experiment: 'policies', lane: 'governed', metric: 'cpu', setting })
const keys = (setting: string): Wanted => ({ experiment: 'keys', lane: 'bare', metric: 'cpu', setting })
const paced = (setting: string): Wanted => ({ experiment: 'flatness', lane: 'governed', metric: 'pacedP99', setting })

/** The promises of the project, in the order of its table. */
const TARGETS: readonly Target[] = [
  times('bare lane at one rate, CPU per request, to the bare proxy', '≤', 1.25, atOneRate('bare')),
  times('governed lane at one rate, CPU per request, to the bare proxy', '≤', 1.4, atOneRate('governed')),
  times('bare lane at full speed, CPU per request, to the bare proxy', '≤', 1.8, chat('bare', 'cpu')),
  times('governed lane at full speed, CPU per request, to the bare proxy', '≤', 2, chat('governed', 'cpu')),
  times('governed lane, CPU per request, to the bare lane', '≤', 1.2, chat('governed', 'cpu'), { lane: 'bare' }),
  times('governed lane to the peer on Node, requests per second', '≥', 12, chat('governed', 'rps'), {
    lane: 'peer-node',
  }),
  times('governed lane to the peer on Bun, requests per second', '≥', 3, chat('governed', 'rps'), { lane: 'peer-bun' }),
  at('latency added at one connection, governed, p50', 0.2, 'ms', latency('addedP50')),
  at('latency added at one connection, governed, p99', 1.2, 'ms', latency('addedP99')),
  times('p99 at 64 connections to that at 1, at one rate, governed', '≤', 3, paced('64'), { setting: '1' }),
  times('streaming, CPU per event, to handing it through', '≤', 1.15, stream('bare')),
  times('transformed streaming, CPU per event, to the same', '≤', 1.4, stream('transformed')),
  times('Responses handed through, CPU per request, to a chat', '≤', 1.1, chat('responses', 'cpu'), { lane: 'bare' }),
  times('Messages over chat, CPU per request, to a chat', '≤', 1.5, chat('messages', 'cpu'), { lane: 'bare' }),
  times('Responses handed through, CPU per event, to handing it through', '≤', 1.25, stream('responses')),
  times('Messages over chat, CPU per event, to the same', '≤', 1.7, stream('messages')),
  at('memory of an open stream', 60, 'KB', { experiment: 'open-streams', lane: 'bare', metric: 'streamKb' }),
  at('memory of a stalled reader', 100, 'KB', { experiment: 'stalled-readers', lane: 'bare', metric: 'streamKb' }),
  at('memory after all requests to that after a tenth, bare', 1.1, '×', {
    experiment: 'memory',
    lane: 'bare',
    metric: 'growth',
  }),
  at('memory after all requests to that after a tenth, governed', 1.1, '×', {
    experiment: 'memory',
    lane: 'governed',
    metric: 'growth',
  }),
  times('1,000 policies to 2, CPU per request', '≤', 1.15, policies('1,000'), { setting: '2' }),
  times('100,000 keys to 10, CPU per request', '≤', 1.05, keys('100,000'), { setting: '10' }),
  times(
    'two processes to one, requests per second',
    '≥',
    1.7,
    { experiment: 'processes', lane: 'bare', metric: 'rps', setting: '2' },
    { setting: '1' },
  ),
]

export const judge = (measurements: readonly Measurement[]): Verdict[] =>
  TARGETS.map(({ what, sign, limit, unit, read }) => {
    const measured = read(measurements)
    const inUnit = (text: string): string => (unit === '×' ? `${text} ×` : `${text} ${unit}`)
    return {
      what,
      target: `${sign} ${inUnit(String(limit))}`,
      measured: measured === undefined || Number.isNaN(measured) ? '' : inUnit(digits(measured)),
      met:
        measured === undefined || Number.isNaN(measured)
          ? undefined
          : sign === '≤'
            ? measured <= limit
            : measured >= limit,
    }
  })
