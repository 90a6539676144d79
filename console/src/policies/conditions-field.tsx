import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/field.tsx'

/** A condition as people type it: values with commas between. */
export interface ConditionDraft {
  readonly key: string
  readonly value: string
}

/** As the interface has it. */
export interface Condition {
  readonly key: string
  readonly value: string | readonly string[]
}

export const toConditionDrafts = (conditions: readonly Condition[]): readonly ConditionDraft[] =>
  conditions.map(({ key, value }) => ({ key, value: [value].flat().join(', ') }))

export const toConditions = (drafts: readonly ConditionDraft[]) =>
  drafts.map(({ key, value }) => {
    const values = value.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
    return { key, value: values.length === 1 ? (values[0] ?? '') : values }
  })

export interface ConditionsFieldProps {
  readonly keys: readonly string[]
  readonly value: readonly ConditionDraft[]
  readonly onChange: (value: readonly ConditionDraft[]) => void
}

/** Which calls a policy is about: all conditions must hold. */
export const ConditionsField = ({ keys, value, onChange }: ConditionsFieldProps) => {
  const change = (index: number, part: Partial<ConditionDraft>): void =>
    onChange(value.map((each, at) => (at === index ? { ...each, ...part } : each)))
  return (
    <fieldset className="grid gap-3 rounded-md border border-line p-3">
      <legend className="px-1 font-medium">About which calls</legend>
      <p className="text-soft">All must hold. * stands for any value; commas part several.</p>
      {value.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition is nothing but its place
        <div key={index} className="grid grid-cols-[1fr_1fr_auto] items-end gap-2">
          <SelectField
            label="What"
            options={namesOf(keys, condition.key)}
            value={condition.key}
            onChange={(event) => change(index, { key: event.target.value })}
          />
          <TextField
            label="Is"
            required
            value={condition.value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <Button
            aria-label={`Remove condition ${index + 1}`}
            disabled={value.length === 1}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          >
            <span aria-hidden>✕</span>
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...value, { key: keys[0] ?? '', value: '*' }])}>One more</Button>
      </div>
    </fieldset>
  )
}

/** Keys of metadata are anybody's: one that is stored is offered too. */
const namesOf = (keys: readonly string[], own: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...new Set([...keys, own])].map((key) => [key, key]))

export interface GroupFieldProps {
  readonly keys: readonly string[]
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
}

/** What each count is of its own for. */
export const GroupField = ({ keys, value, onChange }: GroupFieldProps) => (
  <fieldset className="grid gap-2 rounded-md border border-line p-3">
    <legend className="px-1 font-medium">Counted for each</legend>
    <div className="flex flex-wrap gap-x-4 gap-y-2">
      {keys.map((key) => (
        <label key={key} className="flex items-center gap-1.5">
          <input
            type="checkbox"
            checked={value.includes(key)}
            onChange={(event) =>
              onChange(event.target.checked ? [...value, key] : value.filter((other) => other !== key))
            }
          />
          {key}
        </label>
      ))}
    </div>
  </fieldset>
)
