import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useKeyName } from '../keys/key-names.ts'
import type { Filters } from '../records/filters.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { count, duration, money } from '../ui/format.ts'
import { Panel } from '../ui/page.tsx'
import { Answered } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { GROUPS, type Group, type GroupRow, type Question, useGroup, useMetadataKeys } from './questions.ts'

/** What narrows records to those of a row. */
const filterOf = (group: Group, metadataKey: string, name: string): Filters => {
  switch (group) {
    case 'model':
      return { model: name }
    case 'provider':
      return { provider: name }
    case 'key':
      return { api_key_ids: name }
    case 'user':
      return { user: name }
    case 'metadata':
      return { metadata: JSON.stringify({ [metadataKey]: name }) }
  }
}

/** Who and what the calls were of: each row leads to its records. */
export const GroupTable = ({ question }: { readonly question: Question }) => {
  const [group, setGroup] = useState<Group>('model')
  const [metadataKey, setMetadataKey] = useState('')
  const query = useGroup(group, metadataKey, question)
  return (
    <Panel
      title="By"
      actions={
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">What the calls are grouped by</legend>
          {Object.entries(GROUPS).map(([each, title]) => (
            <Button
              key={each}
              look={each === group ? 'plain' : 'quiet'}
              aria-pressed={each === group}
              onClick={() => setGroup(each as Group)}
            >
              {title}
            </Button>
          ))}
        </fieldset>
      }
    >
      <div className="grid gap-4">
        {group === 'metadata' && <MetadataChoice value={metadataKey} onChoose={setMetadataKey} />}
        {(group !== 'metadata' || metadataKey !== '') && (
          <Answered query={query}>
            {(rows) => <Groups rows={rows} group={group} metadataKey={metadataKey} question={question} />}
          </Answered>
        )}
      </div>
    </Panel>
  )
}

interface GroupsProps {
  readonly rows: readonly GroupRow[]
  readonly group: Group
  readonly metadataKey: string
  readonly question: Question
}

const Groups = ({ rows, group, metadataKey, question }: GroupsProps) => {
  const nameOf = useKeyName()
  const window = { from: question.time_of_generation_min, to: question.time_of_generation_max }
  const title = group === 'metadata' ? metadataKey : GROUPS[group]
  if (rows.length === 0) return <p className="text-soft">No call in this time names one.</p>
  return (
    <Table
      label={`Calls by ${title.toLowerCase()}`}
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        {
          title,
          cell: ({ name }) => (
            <Link
              to="/records"
              search={{ ...window, ...filterOf(group, metadataKey, name) }}
              className="text-accent underline [overflow-wrap:anywhere]"
            >
              {(group === 'key' ? nameOf(name) : name) || '(empty)'}
            </Link>
          ),
        },
        { title: 'Calls', isNumber: true, cell: (row) => count(row.requests) },
        { title: 'Errors', isNumber: true, cell: (row) => count(row.errors) },
        { title: 'Median', isNumber: true, cell: (row) => duration(row.p50) },
        { title: 'p99', isNumber: true, cell: (row) => duration(row.p99) },
        { title: 'Tokens', isNumber: true, cell: (row) => count(row.tokens) },
        { title: 'Cost', isNumber: true, cell: (row) => money(row.cost) },
      ]}
    />
  )
}

interface MetadataChoiceProps {
  readonly value: string
  readonly onChoose: (key: string) => void
}

/** Any name that calls have in their metadata: those of late are offered. */
const MetadataChoice = ({ value, onChoose }: MetadataChoiceProps) => {
  const keys = useMetadataKeys()
  const [draft, setDraft] = useState(value)
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(draft.trim())
      }}
    >
      <TextField
        label="Name in the metadata"
        list="metadata-keys"
        autoComplete="off"
        required
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <datalist id="metadata-keys">
        {keys.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
      <Button type="submit">Group by it</Button>
    </form>
  )
}
