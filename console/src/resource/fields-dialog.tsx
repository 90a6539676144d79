import { useState } from 'react'
import type { IfMatch } from '../api/client.ts'
import { Dialog } from '../ui/dialog.tsx'
import { AreaField, SelectField, TextField } from '../ui/field.tsx'
import type { Save } from '../ui/use-save.ts'
import { EditForm } from './edit-form.tsx'
import type { Stored } from './stored.tsx'
import { useEdit } from './use-edit.ts'

/** A field of a form. What it holds is always text, as people type it. */
export interface FieldSpec {
  readonly name: string
  readonly label: string
  /** `secret` is not shown as it is typed, `json` is read as JSON when it is saved. Default: a line of text. */
  readonly kind?: 'text' | 'secret' | 'area' | 'json' | 'choice'
  readonly options?: Readonly<Record<string, string>>
  readonly hint?: string
  readonly isRequired?: boolean
  /** Names that the field offers. */
  readonly offers?: readonly string[]
  /** Where the interface calls it otherwise in a refusal. */
  readonly param?: string
}

export type Draft = Readonly<Record<string, string>>

export interface FieldsDialogProps {
  readonly title: string
  readonly about?: string
  readonly fields: readonly FieldSpec[]
  readonly initial: Draft
  /** What is changed; absent: it is new. */
  readonly existing?: Stored<unknown> | undefined
  /** Gets a text for each field. @throws Failure, and JsonMistake */
  readonly save: (draft: Draft, headers: IfMatch) => Promise<unknown>
  readonly onClose: () => void
}

/** A form for something that is stored. */
export const FieldsDialog = ({ title, about, fields, initial, existing, save, onClose }: FieldsDialogProps) => {
  const [draft, setDraft] = useState<Draft>(() => ({
    ...Object.fromEntries(fields.map(({ name, options }) => [name, Object.keys(options ?? {})[0] ?? ''])),
    ...initial,
  }))
  const edit = useEdit(existing, (headers) => save(draft, headers), onClose)
  return (
    <Dialog title={title} about={about} onClose={onClose}>
      <EditForm edit={edit} submit="Save" onCancel={onClose}>
        {fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            value={draft[field.name] ?? ''}
            save={edit}
            onChange={(value) => setDraft({ ...draft, [field.name]: value })}
          />
        ))}
      </EditForm>
    </Dialog>
  )
}

interface OneFieldProps {
  readonly field: FieldSpec
  readonly value: string
  readonly save: Pick<Save<never>, 'errorOf'>
  readonly onChange: (value: string) => void
}

const OneField = ({ field, value, save, onChange }: OneFieldProps) => {
  const { name, label, options = {}, hint, isRequired = false, offers, param = name } = field
  const shared = {
    ...{ label, hint, required: isRequired, value, error: save.errorOf(param) },
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  }
  const kind: NonNullable<FieldSpec['kind']> = field.kind ?? 'text'
  switch (kind) {
    case 'choice':
      return <SelectField {...shared} options={options} />
    case 'area':
      return <AreaField {...shared} />
    case 'json':
      return <AreaField {...shared} rows={8} spellCheck={false} className="font-mono text-xs" />
    case 'secret':
      return <TextField {...shared} type="password" autoComplete="off" />
    case 'text':
      return (
        <>
          <TextField {...shared} autoComplete="off" {...(offers === undefined ? {} : { list: `offers-${name}` })} />
          {offers !== undefined && (
            <datalist id={`offers-${name}`}>
              {offers.map((offer) => (
                <option key={offer} value={offer} />
              ))}
            </datalist>
          )}
        </>
      )
  }
}
