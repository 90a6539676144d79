import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { type Period, RANGES, type Range } from '../ui/period.ts'

const OWN = 'own'
const MINUTES = 16

/** As the browser's field has a moment: local, to the minute. */
const toLocal = (iso: string | undefined): string => {
  if (iso === undefined) return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, MINUTES)
}

/** Chooses which time the page is about: a range up to now, or two moments. */
export const TimeChoice = ({ period }: { readonly period: Period }) => {
  const navigate = useNavigate()
  const isBetween = period.from !== undefined
  const [isOwn, setOwn] = useState(isBetween)
  const [from, setFrom] = useState(() => toLocal(period.from))
  const [to, setTo] = useState(() => toLocal(period.to))
  const choose = (value: string): void => {
    setOwn(value === OWN)
    if (value !== OWN) void navigate({ to: '/overview', search: { range: value as Range } })
  }
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const search = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
        void navigate({ to: '/overview', search })
      }}
    >
      <SelectField
        label="Time"
        options={{ ...RANGES, [OWN]: 'From … to …' }}
        value={isOwn ? OWN : (period.range ?? '24h')}
        onChange={(event) => choose(event.target.value)}
      />
      {isOwn && (
        <>
          <TextField
            label="From"
            type="datetime-local"
            required
            max={to}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <TextField
            label="To"
            type="datetime-local"
            required
            min={from}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
          <Button type="submit">Show</Button>
        </>
      )}
    </form>
  )
}
