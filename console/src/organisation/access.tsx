import { useState } from 'react'
import { useMay, useSession } from '../api/session.tsx'
import { type FieldSpec, FieldsDialog } from '../resource/fields-dialog.tsx'
import { Button } from '../ui/button.tsx'

/** Which workspaces may use an integration, as both kinds of integrations take it. */
export interface Access {
  readonly workspaces: { id: string; enabled: boolean }[]
  readonly global_workspace_access?: { enabled: boolean }
}

const FIELD: FieldSpec = {
  ...{ name: 'access', label: 'Who may use it', kind: 'choice' },
  options: { every: 'Every workspace, later ones too', own: 'This workspace', notOwn: 'Not this workspace' },
}

export interface AccessButtonProps {
  readonly name: string
  /** Scope that it needs. */
  readonly scope: string
  readonly save: (access: Access) => Promise<unknown>
}

/** Gives an integration to workspaces, or takes it away. */
export const AccessButton = ({ name, scope, save }: AccessButtonProps) => {
  const { workspace } = useSession()
  const may = useMay(scope)
  const [isOpen, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Give to</Button>
      {isOpen && (
        <FieldsDialog
          title={`Who may use ${name}?`}
          fields={[FIELD]}
          initial={{}}
          save={({ access }) =>
            save(
              access === 'every'
                ? { workspaces: [], global_workspace_access: { enabled: true } }
                : { workspaces: [{ id: workspace, enabled: access === 'own' }] },
            )
          }
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
