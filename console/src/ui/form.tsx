import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Failed } from './states.tsx'
import type { Save } from './use-save.ts'

export interface FormProps {
  readonly onSubmit: () => void
  readonly save: Pick<Save<never>, 'isRunning' | 'failure'>
  readonly submit: string
  readonly onCancel?: () => void
  /** Said in the place of why it was not saved. */
  readonly refusal?: ReactNode
  readonly children: ReactNode
}

/** Fields, and what became of saving them. */
export const Form = ({ onSubmit, save: { isRunning, failure }, submit, onCancel, refusal, children }: FormProps) => (
  <form
    className="grid gap-4"
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
    {refusal ?? (failure !== undefined && <Failed error={failure} />)}
    <div className="flex flex-wrap justify-end gap-2">
      {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
      <Button type="submit" look="primary" disabled={isRunning}>
        {isRunning ? 'One moment…' : submit}
      </Button>
    </div>
  </form>
)
