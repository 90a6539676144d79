import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useKeyName } from '../keys/key-names.ts'
import type { FilterName } from '../records/filters.ts'
import { Button } from '../ui/button.tsx'
import { count, duration, money } from '../ui/format.ts'
import { Panel } from '../ui/page.tsx'
import { Answered } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { GROUPS, type Group, type Question, useGroup } from './questions.ts'

/** The field of a record that each group is by. */
const FIELDS: Readonly<Record<Group, FilterName>> = {
  model: 'model',
  provider: 'provider',
  key: 'api_key_ids',
  user: 'user',
}

/** Who and what the calls were of: each row leads to its records. */
export const GroupTable = ({ question }: { readonly question: Question }) => {
  const nameOf = useKeyName()
  const [group, setGroup] = useState<Group>('model')
  const query = useGroup(group, question)
  const window = { from: question.time_of_generation_min, to: question.time_of_generation_max }
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
      <Answered query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-soft">No call in this time names one.</p>
          ) : (
            <Table
              label={`Calls by ${GROUPS[group].toLowerCase()}`}
              rows={rows}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: GROUPS[group],
                  cell: ({ name }) => (
                    <Link
                      to="/records"
                      search={{ ...window, [FIELDS[group]]: name }}
                      className="text-accent underline [overflow-wrap:anywhere]"
                    >
                      {group === 'key' ? nameOf(name) : name}
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
      </Answered>
    </Panel>
  )
}
