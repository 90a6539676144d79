import { Form, type FormProps } from '../ui/form.tsx'
import { ConflictNote } from './conflict.tsx'
import type { Edit } from './use-edit.ts'

export interface EditFormProps extends Omit<FormProps, 'onSubmit' | 'save' | 'refusal'> {
  readonly edit: Pick<Edit<never, unknown>, 'run' | 'isRunning' | 'failure' | 'conflict'>
  /** What has not happened where somebody else was faster, and what the button says that does it all the same. */
  readonly undone?: string
  readonly anyway?: string
}

const TYPED = 'Nothing was stored, and what you typed is still here.'

/** Fields of something stored. Where somebody else changed it meanwhile, it says so, and keeps what was typed. */
export const EditForm = ({ edit, undone = TYPED, anyway = 'Save mine anyway', ...form }: EditFormProps) => (
  <Form
    {...form}
    onSubmit={edit.run}
    save={edit}
    refusal={edit.conflict && <ConflictNote conflict={edit.conflict} undone={undone} anyway={anyway} />}
  />
)
