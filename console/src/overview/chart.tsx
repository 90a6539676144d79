import { useEffect, useRef } from 'react'
import UPlot from 'uplot'

export interface Series {
  readonly name: string
  /** One for each time; null where there is nothing. */
  readonly values: readonly (number | null)[]
  /** Of another time, to compare with. */
  readonly isBefore?: boolean
}

export interface ChartProps {
  /** What it shows, for whoever does not see it. */
  readonly label: string
  /** Where each bucket begins; seconds. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly show: (value: number) => string
  /** Hears of a bucket that was clicked. */
  readonly onPick: (index: number) => void
}

const HEIGHT = 180
const DAY_SECONDS = 86_400
/** So few that a line between them may not be seen. */
const FEW_POINTS = 60
const COLOURS = ['--accent', '--bad', '--warn', '--good'] as const

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const calendar = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** A time below the graph, as exact as the distance to the next one. */
const moment =
  (stepSeconds: number) =>
  (seconds: number): string =>
    (stepSeconds >= DAY_SECONDS ? calendar : clock).format(new Date(seconds * 1000))

/** Lines over time. */
export const Chart = ({ label, times, series, show, onPick }: ChartProps) => {
  const place = useRef<HTMLDivElement>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const [soft, line] = [colour('--soft'), colour('--line')]
    const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: series.length > 1 },
        cursor: { y: false },
        axes: [
          { ...axis, space: 70, values: (_, ticks, _axis, _space, step) => ticks.map(moment(step)) },
          { ...axis, size: 70, values: (_, ticks) => ticks.map((tick) => show(tick)) },
        ],
        scales: { y: { range: (_, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
        series: [
          {},
          ...series.map(({ name, values, isBefore = false }, index) => ({
            label: name,
            stroke: isBefore ? soft : colour(COLOURS[index % COLOURS.length] ?? '--accent'),
            width: isBefore ? 1 : 2,
            ...(isBefore ? { dash: [4, 4] } : {}),
            points: { show: !isBefore && values.filter((value) => value !== null).length < FEW_POINTS },
            value: (_: UPlot, value: number | null) => (value === null ? '—' : show(value)),
          })),
        ],
      },
      [[...times], ...series.map(({ values }) => [...values])],
      element,
    )
    const clicked = (): void => {
      const { idx } = plot.cursor
      if (typeof idx === 'number') pick.current(idx)
    }
    plot.over.addEventListener('click', clicked)
    const resizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    resizes.observe(element)
    return () => {
      resizes.disconnect()
      plot.destroy()
    }
  }, [times, series, show])
  return <div ref={place} role="img" aria-label={label} className="min-w-0 overflow-hidden" />
}
