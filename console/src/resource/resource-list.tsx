import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { IfMatch, Tagged } from '../api/client.ts'
import { useMay } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { Answered, Empty } from '../ui/states.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { RemoveButton } from './remove-button.tsx'
import { More, useSearchBox } from './search-box.tsx'
import { OpenStored, type Stored } from './stored.tsx'

export interface ResourceListProps<Row, Whole> {
  /** What one is called: `rate limit`. The plural has an s, or is said. */
  readonly noun: string
  readonly plural?: string
  readonly query: UseQueryResult<{ readonly data: readonly Row[]; readonly total: number }>
  readonly columns: readonly Column<Row>[]
  readonly idOf: (row: Row) => string
  readonly nameOf: (row: Row) => string
  /** What the search looks at. */
  readonly texts: (row: Row) => readonly (string | null)[]
  /** Scopes, any one of which is enough; absent: nobody does that here. */
  readonly mayCreate?: readonly string[]
  readonly mayUpdate?: readonly string[] | ((row: Row) => readonly string[])
  readonly mayDelete?: readonly string[] | ((row: Row) => readonly string[])
  /** Asks for one of them, to change or delete it. */
  readonly look: (row: Row) => Promise<Tagged<Whole>>
  /** Makes one, or changes that one. */
  readonly dialog?: (existing: Stored<Whole> | undefined, onClose: () => void) => ReactNode
  readonly remove?: (row: Row, headers: IfMatch) => Promise<unknown>
  /** What comes of a deletion. */
  readonly removal?: string
  /** More buttons of a row. */
  readonly actions?: (row: Row) => ReactNode
  /** Shows this one alone. */
  readonly only?: string | undefined
}

const NOBODY: readonly string[] = []

/** What is stored of one kind: a list with a search, and buttons for what somebody may do with it. */
export const ResourceList = <Row, Whole>(props: ResourceListProps<Row, Whole>) => {
  const { noun, plural = `${noun}s`, query, columns, idOf, texts, mayCreate = NOBODY, look, dialog, only } = props
  const { box, fits } = useSearchBox(`Search ${plural}`)
  const [edited, setEdited] = useState<Row | 'new'>()
  const mayMake = useMay(...mayCreate) && dialog !== undefined
  const close = (): void => setEdited(undefined)
  return (
    <>
      <div className="flex flex-wrap justify-between gap-2">
        {box}
        {mayMake && (
          <Button look="primary" onClick={() => setEdited('new')}>
            New {noun}
          </Button>
        )}
      </div>
      <Answered query={query}>
        {({ data, total }) => {
          const rows = data.filter((row) => (only === undefined || only === idOf(row)) && fits(...texts(row)))
          return (
            <>
              {rows.length === 0 ? (
                <Empty>{data.length === 0 ? `There is no ${noun} yet.` : `No ${noun} fits.`}</Empty>
              ) : (
                <Table
                  label={plural.charAt(0).toUpperCase() + plural.slice(1)}
                  columns={[
                    ...columns,
                    { title: 'Do', cell: (row) => <RowActions {...props} row={row} onEdit={() => setEdited(row)} /> },
                  ]}
                  rows={rows}
                  keyOf={idOf}
                />
              )}
              <More shown={data.length} total={total} />
            </>
          )
        }}
      </Answered>
      {edited === 'new' && dialog?.(undefined, close)}
      {edited !== undefined && edited !== 'new' && (
        <OpenStored look={() => look(edited)} onClose={close}>
          {(stored) => dialog?.(stored, close)}
        </OpenStored>
      )}
    </>
  )
}

interface RowActionsProps<Row, Whole> extends ResourceListProps<Row, Whole> {
  readonly row: Row
  readonly onEdit: () => void
}

const RowActions = <Row, Whole>(props: RowActionsProps<Row, Whole>) => {
  const { row, noun, nameOf, mayUpdate = NOBODY, mayDelete = NOBODY, look, dialog, remove, removal, actions } = props
  const mayChange = useMay(...(typeof mayUpdate === 'function' ? mayUpdate(row) : mayUpdate))
  const mayRemove = useMay(...(typeof mayDelete === 'function' ? mayDelete(row) : mayDelete))
  return (
    <div className="flex gap-2">
      {actions?.(row)}
      {mayChange && dialog !== undefined && <Button onClick={props.onEdit}>Change</Button>}
      {mayRemove && remove !== undefined && (
        <RemoveButton
          title={`Delete the ${noun} ${nameOf(row)}?`}
          look={() => look(row)}
          remove={(headers) => remove(row, headers)}
        >
          {removal ?? 'It cannot be brought back.'}
        </RemoveButton>
      )}
    </div>
  )
}
