import { createBoundedMap } from '../../core/bounded-map.ts'
import type { CheckStage, RecordedCheck } from '../../core/guardrails.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { CallRecord } from '../../core/records.ts'
import { SHORT_SECONDS } from './buckets.ts'

const MILLIS = 1e3
/** Seconds of checks: from those that look at a text to those that ask a model. */
const CHECK_SECONDS = [0.000_01, 0.000_025, 0.000_05, ...SHORT_SECONDS, 2.5, 5, 10]
const MAX_REMEMBERED = 1_000

/** Counts what the checks of guardrails came to. @returns told of each record */
export const createGuardrailMetrics = (metrics: Metrics): ((record: CallRecord) => void) => {
  const checks = metrics.counter({
    name: 'weir.guardrail.checks',
    description:
      'Checks of guardrails that have run, by what they said: `pass`, `fail`, or `error` where they could not tell.',
    unit: '{check}',
  })
  const duration = metrics.histogram(
    { name: 'weir.guardrail.check.duration.seconds', description: 'What a check of a guardrail took.', unit: 's' },
    CHECK_SECONDS,
  )
  const seriesOf = (check: string, stage: CheckStage) => ({
    pass: checks({ check, stage, verdict: 'pass' }),
    fail: checks({ check, stage, verdict: 'fail' }),
    error: checks({ check, stage, verdict: 'error' }),
    duration: duration({ check, stage }),
  })
  const known = createBoundedMap<string, ReturnType<typeof seriesOf>>(MAX_REMEMBERED)

  const count = ({ id, verdict, error, execution_time: ms }: RecordedCheck, stage: CheckStage): void => {
    const key = `${stage} ${id}`
    const series = known.get(key) ?? seriesOf(id, stage)
    known.set(key, series)
    series[error !== undefined ? 'error' : verdict ? 'pass' : 'fail'].add(1)
    series.duration.observe(ms / MILLIS)
  }

  return ({ kind, fallback, hookResults }) => {
    // Of a call that went to several targets each has a record of its own.
    if (hookResults === undefined || (kind === 'call' && fallback)) return
    for (const { checks: done } of hookResults.before_request_hooks) for (const check of done) count(check, 'input')
    for (const { checks: done } of hookResults.after_request_hooks) for (const check of done) count(check, 'output')
  }
}
