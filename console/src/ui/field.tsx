import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

const BOX =
  'w-full min-h-9 rounded-md border border-line bg-panel px-2.5 py-1.5 text-ink placeholder:text-soft aria-invalid:border-bad'

export interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with the value. */
  readonly error?: string | undefined
}

/** What ties a field to its words, for screen readers. */
interface Tie {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

/** A label, what is inside, and a word about it. */
export const Field = ({
  label,
  hint,
  error,
  children,
}: FieldProps & { readonly children: (tie: Tie) => ReactNode }) => {
  const id = useId()
  const isWrong = error !== undefined
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': isWrong || hint !== undefined ? `${id}-word` : undefined,
        'aria-invalid': isWrong || undefined,
      })}
      {(isWrong || hint !== undefined) && (
        <p id={`${id}-word`} className={isWrong ? 'text-bad' : 'text-soft'}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

export const TextField = ({
  label,
  hint,
  error,
  className,
  ...props
}: FieldProps & Omit<ComponentProps<'input'>, keyof Tie>) => (
  <Field label={label} hint={hint} error={error}>
    {(tie) => <input {...props} {...tie} className={classes(BOX, className)} />}
  </Field>
)

export const AreaField = ({
  label,
  hint,
  error,
  className,
  ...props
}: FieldProps & Omit<ComponentProps<'textarea'>, keyof Tie>) => (
  <Field label={label} hint={hint} error={error}>
    {(tie) => <textarea rows={4} {...props} {...tie} className={classes(BOX, className)} />}
  </Field>
)

/** The browser's own list: it works on phones and with screen readers as people know it. */
export const SelectField = ({
  label,
  hint,
  error,
  options,
  ...props
}: FieldProps & Omit<ComponentProps<'select'>, keyof Tie> & { readonly options: Readonly<Record<string, string>> }) => (
  <Field label={label} hint={hint} error={error}>
    {(tie) => (
      <select {...props} {...tie} className={BOX}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)
