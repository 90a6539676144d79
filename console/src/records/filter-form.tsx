import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { RANGES, type Range } from '../ui/period.ts'
import { FILTER_NAMES, FILTERS, type FilterName, type Filters, readFilters } from './filters.ts'

const ANY = ''

/** Narrows the list. What is chosen goes into the address bar, so that it can be sent to others. */
export const FilterForm = ({
  filters,
  mayReadBodies,
}: {
  readonly filters: Filters
  readonly mayReadBodies: boolean
}) => {
  const navigate = useNavigate()
  const [draft, setDraft] = useState(filters)
  const used = FILTER_NAMES.filter((name) => filters[name] !== undefined)
  const apply = (next: Filters): void => {
    setDraft(next)
    void navigate({ to: '/records', search: next })
  }
  const choose = (name: keyof Filters, value: string): Filters => {
    const gone = name === 'range' ? [name, 'from', 'to'] : [name]
    const others = Object.entries(draft).filter(([each]) => !gone.includes(each))
    return readFilters(Object.fromEntries(value === ANY ? others : [...others, [name, value]]))
  }
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        apply(draft)
      }}
    >
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <SelectField
          label="Time"
          options={{ [ANY]: filters.from === undefined ? 'All that is kept' : 'As in the graph', ...RANGES }}
          value={draft.range ?? ANY}
          onChange={(event) => apply(choose('range', event.target.value as Range))}
        />
        <SelectField
          label="Ended"
          options={{ [ANY]: 'Either way', well: 'Well', badly: 'Badly' }}
          value={draft.ended ?? ANY}
          onChange={(event) => apply(choose('ended', event.target.value))}
        />
        <TextField
          label="Model"
          value={draft.model ?? ''}
          onChange={(event) => setDraft(choose('model', event.target.value))}
        />
        {mayReadBodies && (
          <TextField
            label="Words in bodies"
            type="search"
            value={draft.search ?? ''}
            onChange={(event) => setDraft(choose('search', event.target.value))}
          />
        )}
      </div>
      <details open={used.some((name) => name !== 'model')}>
        <summary className="text-soft">More filters</summary>
        <div className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-4">
          {FILTER_NAMES.filter((name) => name !== 'model').map((name: FilterName) => (
            <TextField
              key={name}
              label={FILTERS[name]}
              value={draft[name] ?? ''}
              onChange={(event) => setDraft(choose(name, event.target.value))}
            />
          ))}
        </div>
      </details>
      <div className="flex gap-2">
        <Button type="submit" look="primary">
          Show
        </Button>
        <Button onClick={() => apply({})}>Clear</Button>
      </div>
    </form>
  )
}
