import { Button } from '../ui/button.tsx'
import { AreaField, SelectField, TextField } from '../ui/field.tsx'
import { type CheckDraft, fieldsOf, summaryOf } from './check-draft.ts'
import type { CheckField } from './known-check.ts'

export interface CheckFieldsProps {
  readonly check: CheckDraft
  readonly onChange: (check: CheckDraft) => void
  readonly onRemove: () => void
}

/** One check of a guardrail, with a field for each of its parameters. */
export const CheckFields = ({ check, onChange, onRemove }: CheckFieldsProps) => (
  <fieldset className="grid gap-3 rounded-md border border-line p-3">
    <legend className="px-1 font-medium">{check.id}</legend>
    <div className="flex items-start justify-between gap-2">
      <p className="text-soft">{summaryOf(check.id)}</p>
      <Button aria-label={`Remove ${check.id}`} onClick={onRemove}>
        <span aria-hidden>✕</span>
      </Button>
    </div>
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        checked={check.isEnabled}
        onChange={(event) => onChange({ ...check, isEnabled: event.target.checked })}
      />
      It runs
    </label>
    {fieldsOf(check.id).map((field) => (
      <OneField
        key={field.name}
        field={field}
        value={check.texts[field.name] ?? ''}
        onChange={(value) => onChange({ ...check, texts: { ...check.texts, [field.name]: value } })}
      />
    ))}
  </fieldset>
)

interface OneFieldProps {
  readonly field: CheckField
  readonly value: string
  readonly onChange: (value: string) => void
}

const AS_IT_IS = 'As it is by default'

const OneField = ({ field: { name, kind, isRequired, choices = [], description }, value, onChange }: OneFieldProps) => {
  const shared = {
    ...{ label: name, hint: description, required: isRequired, value },
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  }
  switch (kind) {
    case 'flag':
      return <SelectField {...shared} options={{ '': AS_IT_IS, true: 'Yes', false: 'No' }} />
    case 'choice':
      return (
        <SelectField
          {...shared}
          options={{ '': AS_IT_IS, ...Object.fromEntries(choices.map((each) => [each, each])) }}
        />
      )
    case 'number':
      return <TextField {...shared} type="number" step="any" />
    case 'text':
      return <TextField {...shared} autoComplete="off" />
    case 'lines':
      return <AreaField {...shared} hint={[description, 'One in each line.'].filter(Boolean).join(' ')} />
    case 'json':
      return <AreaField {...shared} spellCheck={false} className="font-mono text-xs" />
  }
}
