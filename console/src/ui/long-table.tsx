import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Scroll } from './scroll.tsx'
import type { Column, TableProps } from './table.tsx'

export interface LongColumn<Row> extends Column<Row> {
  /** Its share of the width: the rows that are looked at say nothing of the others. */
  readonly share: number
}

export interface LongTableProps<Row> extends Omit<TableProps<Row>, 'columns'> {
  /** The same object each time: rows that were drawn stay as they are. */
  readonly columns: readonly LongColumn<Row>[]
  /** Hears that the end is near. */
  readonly onNearEnd?: (() => void) | undefined
  /** There are more than these, of which nobody knows how many. */
  readonly hasMore?: boolean
  /** Whoever comes back to what has this name stands where they were. */
  readonly place?: string
}

/** All rows are so high: where each stands is known without drawing it. */
const ROW_PX = 41
/** Drawn above and below what is seen. */
const BESIDE = 15
/** So many rows before the end more are asked for. */
const NEAR = 250

const left = new Map<string, number>()

/** A table of any number of rows, of which only those are drawn that are seen. */
export const LongTable = <Row,>(props: LongTableProps<Row>) => {
  const { label, columns, rows, keyOf, onNearEnd, hasMore = false, place } = props
  const scroll = useRef<HTMLElement>(null)
  const [{ first, last }, setSeen] = useState({ first: 0, last: 2 * BESIDE })

  const look = (): void => {
    const element = scroll.current
    if (element === null) return
    const from = Math.max(0, Math.floor(element.scrollTop / ROW_PX) - BESIDE)
    const to = Math.ceil((element.scrollTop + element.clientHeight) / ROW_PX) + BESIDE
    setSeen((seen) => (seen.first === from && seen.last === to ? seen : { first: from, last: to }))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks at what is there when it comes, and when its size changes
  useLayoutEffect(() => {
    const element = scroll.current
    if (element === null) return
    if (place !== undefined) element.scrollTop = left.get(place) ?? 0
    const resizes = new ResizeObserver(look)
    resizes.observe(element)
    return () => {
      resizes.disconnect()
      if (place !== undefined) left.set(place, element.scrollTop)
    }
  }, [place])
  const isNearEnd = last + NEAR > rows.length
  useEffect(() => {
    if (isNearEnd) onNearEnd?.()
  }, [isNearEnd, onNearEnd])

  const shares = columns.reduce((sum, { share }) => sum + share, 0)
  const drawn = rows.slice(first, last)
  const below = Math.max(0, rows.length - first - drawn.length)
  return (
    <Scroll
      ref={scroll}
      label={label}
      onScroll={look}
      className="max-h-[75dvh] overflow-auto rounded-lg border border-line bg-panel"
    >
      <table
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        className="w-full min-w-[60rem] table-fixed border-collapse text-left"
      >
        <caption className="sr-only">{label}</caption>
        <colgroup>
          {columns.map(({ title, share }) => (
            <col key={title} style={{ width: `${(share / shares) * 100}%` }} />
          ))}
        </colgroup>
        <thead className="sticky top-0 z-10 bg-panel text-soft shadow-[0_1px_0_var(--line)]">
          <tr aria-rowindex={1}>
            {columns.map(({ title, isNumber }) => (
              <th
                key={title}
                scope="col"
                className={`px-2 py-2 font-medium first:pl-3 last:pr-3 whitespace-nowrap ${isNumber === true ? 'text-right' : ''}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={Math.min(first, rows.length)} width={columns.length} />
          {drawn.map((row, index) => (
            <LongRow key={keyOf(row)} row={row} index={first + index + 2} columns={columns} />
          ))}
          <Gap rows={below} width={columns.length} />
        </tbody>
      </table>
    </Scroll>
  )
}

/** Room for rows that are not drawn. */
const Gap = ({ rows, width }: { readonly rows: number; readonly width: number }) =>
  rows === 0 ? null : (
    <tr aria-hidden>
      <td colSpan={width} style={{ height: rows * ROW_PX, padding: 0 }} />
    </tr>
  )

interface LongRowProps<Row> {
  readonly row: Row
  readonly index: number
  readonly columns: readonly LongColumn<Row>[]
}

const DrawnRow = <Row,>({ row, index, columns }: LongRowProps<Row>) => (
  <tr aria-rowindex={index} className="border-b border-line hover:bg-raised" style={{ height: ROW_PX }}>
    {columns.map(({ title, cell, isNumber }) => (
      <td
        key={title}
        className={`overflow-hidden px-2 text-ellipsis first:pl-3 last:pr-3 whitespace-nowrap ${isNumber === true ? 'text-right tabular-nums' : ''}`}
      >
        {cell(row)}
      </td>
    ))}
  </tr>
)

// A component of any row stays one of any row.
const LongRow = memo(DrawnRow) as typeof DrawnRow
