import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { AreaField } from '../ui/field.tsx'
import type { Message, ToolCall } from './messages.ts'

export interface ToolResultsProps {
  readonly calls: readonly ToolCall[]
  readonly onTell: (results: readonly Message[]) => void
}

/** Plays the tools that a model has called: what they came to is typed in. */
export const ToolResults = ({ calls, onTell }: ToolResultsProps) => {
  const [results, setResults] = useState<readonly string[]>(() => calls.map(() => ''))
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onTell(
          calls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: results[index] ?? '' }) as const),
        )
      }}
    >
      {calls.map((call, index) => (
        <AreaField
          // biome-ignore lint/suspicious/noArrayIndexKey: ids are what a provider says
          key={index}
          label={`Result of ${call.function.name}`}
          rows={2}
          value={results[index] ?? ''}
          onChange={(event) => setResults(results.map((each, at) => (at === index ? event.target.value : each)))}
        />
      ))}
      <div>
        <Button type="submit">Tell the model</Button>
      </div>
    </form>
  )
}
