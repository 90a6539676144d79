import { type ReactNode, useState } from 'react'
import type { IfMatch, Tagged } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from './edit-form.tsx'
import { OpenStored, type Stored } from './stored.tsx'
import { useEdit } from './use-edit.ts'

export interface RemoveButtonProps<Data> {
  readonly title: string
  readonly look: () => Promise<Tagged<Data>>
  readonly remove: (headers: IfMatch) => Promise<unknown>
  /** What comes of it. */
  readonly children: ReactNode
}

/** Deletes what is stored, once somebody was asked. Where it was changed meanwhile, they are asked again. */
export const RemoveButton = <Data,>({ look, ...props }: RemoveButtonProps<Data>) => {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete
      </Button>
      {isOpen && (
        <OpenStored look={look} onClose={close}>
          {(stored) => <RemoveDialog {...props} stored={stored} onClose={close} />}
        </OpenStored>
      )}
    </>
  )
}

interface RemoveDialogProps<Data> extends Omit<RemoveButtonProps<Data>, 'look'> {
  readonly stored: Stored<Data>
  readonly onClose: () => void
}

const RemoveDialog = <Data,>({ title, remove, children, stored, onClose }: RemoveDialogProps<Data>) => {
  const edit = useEdit(stored, remove, onClose)
  return (
    <Dialog title={title} onClose={onClose}>
      <EditForm edit={edit} submit="Delete" undone="Nothing was deleted." anyway="Delete it anyway" onCancel={onClose}>
        <div className="text-soft">{children}</div>
      </EditForm>
    </Dialog>
  )
}
