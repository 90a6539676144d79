import type { Log } from './log.ts'

/** A stretch of a call: when it began, in milliseconds since the call did, and how long it took. */
export interface Bar {
  readonly name: string
  readonly startMs: number
  readonly tookMs: number
  readonly tone: 'own' | 'provider' | 'bad'
}

/** Where the time of a call went, in order: what the gateway did, and each attempt at a provider. */
export const barsOf = ({ created_at: begun, metrics, response, attempts }: Log): readonly Bar[] => {
  const total = response.responseTime ?? 0
  const own: Bar[] = []
  let at = 0
  const add = (name: string, tookMs: number | null): void => {
    if (tookMs === null || tookMs === 0) return
    own.push({ name, startMs: at, tookMs, tone: 'own' })
    at += tookMs
  }
  add('Reading the request', metrics.request_parsing_time)
  add('Cache', metrics.cache_processing_time)
  add('Before the provider', metrics.pre_processing_time)
  const asked =
    attempts.length === 0
      ? providerBar(metrics.upstream_response_time, at, response.status)
      : attempts.map((attempt, index): Bar => {
          const { status, responseTime } = attempt.response
          const provider = attempt.metrics.virtual_key ?? attempt.metrics.ai_org ?? 'provider'
          return {
            name: `${index + 1}. ${provider}: ${status}`,
            startMs: Math.max(0, microsecondsOf(attempt.metrics.created_at) - microsecondsOf(begun)) / 1000,
            tookMs: responseTime ?? 0,
            tone: status < 400 ? 'provider' : 'bad',
          }
        })
  const after = metrics.response_parsing_time
  const last: Bar[] =
    after === null || after === 0
      ? []
      : [{ name: 'After the provider', startMs: Math.max(0, total - after), tookMs: after, tone: 'own' }]
  return [...own, ...asked, ...last]
}

const providerBar = (tookMs: number | null, startMs: number, status: number): readonly Bar[] =>
  tookMs === null ? [] : [{ name: 'Provider', startMs, tookMs, tone: status < 400 ? 'provider' : 'bad' }]

/** Since 1970, of a time to the microsecond, which `Date` cuts to milliseconds. */
const microsecondsOf = (iso: string): number => {
  const [, digits = '000'] = /\.\d{3}(\d{1,3})/.exec(iso) ?? []
  return Date.parse(iso) * 1000 + Number(digits.padEnd(3, '0'))
}
