import { useState } from 'react'
import { Failure } from '../api/failure.ts'
import { Button } from '../ui/button.tsx'
import { AreaField } from '../ui/field.tsx'
import type { Json } from './messages.ts'

/** What goes along with a question, as people type it. */
export interface Extras {
  readonly system: string
  /** JSON: a list of tools, or empty. */
  readonly tools: string
  /** JSON: an object of further fields, or empty. */
  readonly parameters: string
}

export const NO_EXTRAS: Extras = { system: '', tools: '', parameters: '' }

const EXAMPLE = JSON.stringify(
  [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather in a city',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
  ],
  null,
  2,
)

const parse = (text: string, name: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new Failure(`This is no JSON: ${thrown instanceof Error ? thrown.message : thrown}`, 400, { param: name })
  }
}

/** @throws Failure that names the field which cannot be read */
export const parametersOf = ({ tools, parameters }: Extras): Json => {
  const list = tools.trim() === '' ? undefined : parse(tools, 'tools')
  if (list !== undefined && !Array.isArray(list)) {
    throw new Failure('This must be a list in brackets.', 400, { param: 'tools' })
  }
  const others = parameters.trim() === '' ? {} : parse(parameters, 'parameters')
  if (typeof others !== 'object' || others === null || Array.isArray(others)) {
    throw new Failure('This must be an object in braces.', 400, { param: 'parameters' })
  }
  return { ...others, ...(list === undefined || list.length === 0 ? {} : { tools: list }) }
}

export interface ExtrasFieldProps {
  readonly value: Extras
  readonly onChange: (value: Extras) => void
  readonly errorOf: (param: string) => string | undefined
}

export const ExtrasFields = ({ value, onChange, errorOf }: ExtrasFieldProps) => {
  // Open where something is in it, and for whoever opens it.
  const [isOpen] = useState(() => Object.values(value).some((text) => text !== ''))
  return (
    <details open={isOpen}>
      <summary className="text-soft">System message, tools and parameters</summary>
      <div className="mt-3 grid gap-3 md:grid-cols-3">
        <AreaField
          label="System message"
          value={value.system}
          onChange={(event) => onChange({ ...value, system: event.target.value })}
        />
        <div className="grid content-start gap-2">
          <AreaField
            label="Tools"
            hint="A JSON list, as in a request."
            spellCheck={false}
            className="font-mono text-xs"
            value={value.tools}
            error={errorOf('tools')}
            onChange={(event) => onChange({ ...value, tools: event.target.value })}
          />
          {value.tools === '' && (
            <div>
              <Button onClick={() => onChange({ ...value, tools: EXAMPLE })}>Take an example</Button>
            </div>
          )}
        </div>
        <AreaField
          label="Parameters"
          hint='JSON, such as {"temperature": 0.2}.'
          spellCheck={false}
          className="font-mono text-xs"
          value={value.parameters}
          error={errorOf('parameters')}
          onChange={(event) => onChange({ ...value, parameters: event.target.value })}
        />
      </div>
    </details>
  )
}
