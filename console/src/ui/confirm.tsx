import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { useSave } from './use-save.ts'

export interface ConfirmProps {
  /** On the button, and on the one that confirms. */
  readonly action: string
  readonly title: string
  readonly children: ReactNode
  readonly run: () => Promise<unknown>
  readonly onDone?: () => void
}

/** A button for what cannot be undone: it asks once more. */
export const Confirm = ({ action, title, children, run, onDone }: ConfirmProps) => {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const save = useSave(run, () => {
    close()
    onDone?.()
  })
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {action}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <Form onSubmit={() => save.run(undefined)} save={save} submit={action} onCancel={close}>
            <div className="text-soft">{children}</div>
          </Form>
        </Dialog>
      )}
    </>
  )
}
