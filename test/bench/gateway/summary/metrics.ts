/** What a number is: its title in tables, its unit, and which way is better. */
interface Metric {
  readonly title: string
  readonly unit: string
  readonly better: 'lower' | 'higher'
}

const METRICS_TABLE = {
  cpu: { title: 'CPU per request', unit: 'µs', better: 'lower' },
  rps: { title: 'requests per second', unit: '/s', better: 'higher' },
  p50: { title: 'p50', unit: 'ms', better: 'lower' },
  p99: { title: 'p99', unit: 'ms', better: 'lower' },
  addedP50: { title: 'added p50', unit: 'ms', better: 'lower' },
  addedP99: { title: 'added p99', unit: 'ms', better: 'lower' },
  pacedP99: { title: 'p99 at one rate', unit: 'ms', better: 'lower' },
  connections: { title: 'upstream connections per 1,000 requests', unit: '', better: 'lower' },
  eventCpu: { title: 'CPU per event', unit: 'µs', better: 'lower' },
  eventRate: { title: 'events per second', unit: '/s', better: 'higher' },
  firstByteP50: { title: 'first byte p50', unit: 'ms', better: 'lower' },
  firstByteP99: { title: 'first byte p99', unit: 'ms', better: 'lower' },
  streamKb: { title: 'memory per stream', unit: 'KB', better: 'lower' },
  rssIdle: { title: 'idle', unit: 'MB', better: 'lower' },
  rssFirst: { title: 'after the first part', unit: 'MB', better: 'lower' },
  rssPeak: { title: 'peak', unit: 'MB', better: 'lower' },
  rssAfter: { title: 'after all', unit: 'MB', better: 'lower' },
  growth: { title: 'all against the first part', unit: '×', better: 'lower' },
  otherCpu: { title: 'CPU of everything else per request', unit: 'µs', better: 'lower' },
  busy: { title: 'machine busy', unit: '%', better: 'lower' },
  startMs: { title: 'start to first 200', unit: 'ms', better: 'lower' },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS_TABLE

export const METRICS: Readonly<Record<MetricName, Metric>> = METRICS_TABLE

/** As few digits as the value deserves: three that count, no more than three behind the point. */
export const digits = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  // Rounded first: 9.999 is written like 10.
  const size = Math.abs(Number(value.toPrecision(3)))
  const behind = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  const [whole = '', fraction] = value.toFixed(behind).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
