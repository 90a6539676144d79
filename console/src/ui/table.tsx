import type { ReactNode } from 'react'
import { Scroll } from './scroll.tsx'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand below each other. */
  readonly isNumber?: boolean
}

export interface TableProps<Row> {
  /** What it is a table of, for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** Rows under titles. A narrow screen scrolls it sideways. */
export const Table = <Row,>({ label, columns, rows, keyOf }: TableProps<Row>) => (
  <Scroll label={label} className="overflow-x-auto rounded-lg border border-line bg-panel">
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">{label}</caption>
      <thead className="border-b border-line text-soft">
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th
              key={title}
              scope="col"
              className={`px-3 py-2 font-medium whitespace-nowrap ${isNumber === true ? 'text-right' : ''}`}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-raised">
            {columns.map(({ title, cell, isNumber }) => (
              <td
                key={title}
                className={`px-3 py-2 align-top ${isNumber === true ? 'text-right whitespace-nowrap tabular-nums' : ''}`}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
