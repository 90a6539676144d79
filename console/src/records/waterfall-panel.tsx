import { duration } from '../ui/format.ts'
import { Panel } from '../ui/page.tsx'
import type { Log } from './log.ts'
import { type Bar, barsOf } from './waterfall.ts'

const COLOURS: Readonly<Record<Bar['tone'], string>> = { own: 'bg-soft', provider: 'bg-accent', bad: 'bg-bad' }
const LEAST_PERCENT = 0.4

/** Where the time of a call went: what began when, and how long it took. */
export const WaterfallPanel = ({ log }: { readonly log: Log }) => {
  const bars = barsOf(log)
  const total = Math.max(log.response.responseTime ?? 0, ...bars.map(({ startMs, tookMs }) => startMs + tookMs))
  if (bars.length === 0) return null
  const share = (ms: number): number => (total === 0 ? 0 : (ms / total) * 100)
  return (
    <Panel title="Where the time went">
      <ol className="grid gap-2">
        {bars.map(({ name, startMs, tookMs, tone }) => (
          <li key={name} className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[14rem_1fr_6rem]">
            <span className="[overflow-wrap:anywhere]">{name}</span>
            <span aria-hidden className="relative h-3 overflow-hidden rounded bg-raised">
              <span
                className={`absolute inset-y-0 rounded ${COLOURS[tone]}`}
                style={{
                  left: `${Math.min(share(startMs), 100 - LEAST_PERCENT)}%`,
                  width: `${Math.max(share(tookMs), LEAST_PERCENT)}%`,
                }}
              />
            </span>
            <span className="tabular-nums sm:text-right">
              {duration(tookMs)}
              <span className="sr-only">, begun after {duration(startMs)}</span>
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-soft">
        {duration(log.response.responseTime)} in all, of which the gateway itself took{' '}
        {duration(log.metrics.gateway_processing_time)}.
      </p>
    </Panel>
  )
}
