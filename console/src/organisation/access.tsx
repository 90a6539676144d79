import { useState } from 'react'
import type { IfMatch, Tagged } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { type FieldSpec, FieldsDialog } from '../resource/fields-dialog.tsx'
import { OpenStored } from '../resource/stored.tsx'
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
  /** Asks who may use it now. */
  readonly look: () => Promise<Tagged<unknown>>
  readonly save: (access: Access, headers: IfMatch) => Promise<unknown>
}

/** Gives an integration to workspaces, or takes it away. */
export const AccessButton = ({ name, scope, look, save }: AccessButtonProps) => {
  const { workspace } = useSession()
  const may = useMay(scope)
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  if (!may) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Give to</Button>
      {isOpen && (
        <OpenStored look={look} onClose={close}>
          {(existing) => (
            <FieldsDialog
              title={`Who may use ${name}?`}
              fields={[FIELD]}
              initial={{}}
              existing={existing}
              save={({ access }, headers) =>
                save(
                  access === 'every'
                    ? { workspaces: [], global_workspace_access: { enabled: true } }
                    : { workspaces: [{ id: workspace, enabled: access === 'own' }] },
                  headers,
                )
              }
              onClose={close}
            />
          )}
        </OpenStored>
      )}
    </>
  )
}
