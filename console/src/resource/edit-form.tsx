import { Form, type FormProps } from '../ui/form.tsx'
import { ConflictNote } from './conflict.tsx'
import type { Edit } from './use-edit.ts'

export interface EditFormProps extends Omit<FormProps, 'onSubmit' | 'save' | 'refusal'> {
  readonly edit: Pick<Edit<never, unknown>, 'run' | 'isRunning' | 'failure' | 'conflict'>
  /** On the button that does it although somebody else was faster. */
  readonly anyway?: string
}

/** Fields of something stored. Where somebody else changed it meanwhile, it says so, and keeps what was typed. */
export const EditForm = ({ edit, anyway = 'Save mine anyway', ...form }: EditFormProps) => (
  <Form
    {...form}
    onSubmit={edit.run}
    save={edit}
    refusal={edit.conflict && <ConflictNote conflict={edit.conflict} anyway={anyway} />}
  />
)
