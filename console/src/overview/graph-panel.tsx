import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Filters } from '../records/filters.ts'
import { Panel } from '../ui/page.tsx'
import type { Window } from '../ui/period.ts'
import { Chart, type Series } from './chart.tsx'

interface Point {
  readonly timestamp: string
}

export interface GraphPanelProps<Data extends Point> {
  readonly title: string
  readonly points: readonly Data[]
  /** Of the time before: drawn beside a graph that is one line. */
  readonly before?: readonly Data[] | undefined
  /** Lines by name. They are asked for once for all points. */
  readonly lines: Readonly<Record<string, (point: Data) => number | null>>
  readonly show: (value: number) => string
  readonly window: Window
  /** Which records the graph is about. */
  readonly about: Filters
}

/** A graph that leads to its records: all of them, or those of the bucket that is clicked. */
export const GraphPanel = <Data extends Point>({
  title,
  points,
  before,
  lines,
  show,
  window,
  about,
}: GraphPanelProps<Data>) => {
  const navigate = useNavigate()
  const times = useMemo(() => points.map(({ timestamp }) => Date.parse(timestamp) / 1000), [points])
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines are written where the panel is, and never change
  const series = useMemo((): readonly Series[] => {
    const named = Object.entries(lines)
    const series = named.map(([name, of]) => ({ name, values: points.map(of) }))
    const [only, ...others] = named
    if (before === undefined || only === undefined || others.length > 0) return series
    // Bucket by bucket: the two begin the same time apart.
    const values = points.map((_, index) => {
      const then = before[index]
      return then === undefined ? null : only[1](then)
    })
    return [...series, { name: 'before', values, isBefore: true }]
  }, [points, before])
  const all = { ...about, from: window.time_of_generation_min, to: window.time_of_generation_max }
  const openBucket = (index: number): void => {
    const from = points[index]?.timestamp
    const to = points[index + 1]?.timestamp ?? window.time_of_generation_max
    if (from !== undefined) void navigate({ to: '/records', search: { ...about, from, to } })
  }
  return (
    <Panel
      title={title}
      actions={
        <Link to="/records" search={all} className="text-accent underline">
          Records<span className="sr-only"> of {title.toLowerCase()}</span>
        </Link>
      }
    >
      <Chart label={`${title} over time`} times={times} series={series} show={show} onPick={openBucket} />
    </Panel>
  )
}
