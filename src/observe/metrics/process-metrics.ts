import type { Metrics } from '../../core/metrics.ts'
import { SHORT_SECONDS } from './buckets.ts'

/** Milliseconds between two looks at the event loop. */
const LOOK_MS = 50

export interface ProcessMetricsOptions {
  readonly metrics: Metrics
  readonly version: string
  /** Milliseconds that never step back. */
  readonly monotonicMs: () => number
}

/** What the process itself takes: memory, processor time, and how late its event loop is. @returns what ends it */
export const createProcessMetrics = ({ metrics, version, monotonicMs }: ProcessMetricsOptions): (() => void) => {
  const startedMs = monotonicMs()
  metrics.gauge({ name: 'weir.info', description: 'The version that runs.', unit: '1', across: 'max' }, () => [
    [1, { version, bun: Bun.version }],
  ])
  metrics.gauge({ name: 'process.uptime.seconds', description: 'Since the start.', unit: 's', across: 'max' }, () => [
    [(monotonicMs() - startedMs) / 1000],
  ])
  metrics.gauge({ name: 'process.memory.usage.bytes', description: 'Memory of the process.', unit: 'By' }, () => {
    const { rss, heapUsed, external } = process.memoryUsage()
    return [
      [rss, { state: 'resident' }],
      [heapUsed, { state: 'heap' }],
      [external, { state: 'external' }],
    ]
  })
  metrics.reading(
    { name: 'process.cpu.time.seconds', description: 'Processor time of the process.', unit: 's' },
    () => {
      const { user, system } = process.cpuUsage()
      return [
        [user / 1e6, { mode: 'user' }],
        [system / 1e6, { mode: 'system' }],
      ]
    },
  )
  const lag = metrics.histogram(
    {
      name: 'weir.event_loop.lag.seconds',
      description: 'How late the event loop runs a timer: everybody waits for so long.',
      unit: 's',
    },
    SHORT_SECONDS,
  )({})
  let expectedMs = monotonicMs() + LOOK_MS
  const timer = setInterval(() => {
    const nowMs = monotonicMs()
    lag.observe(Math.max(0, nowMs - expectedMs) / 1000)
    expectedMs = nowMs + LOOK_MS
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
