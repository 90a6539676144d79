import { useState } from 'react'
import { gateway, take, takeTagged } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { EditForm } from '../resource/edit-form.tsx'
import type { Stored } from '../resource/stored.tsx'
import { useEdit } from '../resource/use-edit.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import type { Credentials } from './credentials-dialog.tsx'

export const lookAtDeployment = (deploymentId: string) =>
  takeTagged(gateway.GET('/admin/v2/deployments/{deploymentId}', { params: { path: { deploymentId } } }))

type Deployment = Awaited<ReturnType<typeof lookAtDeployment>>['data']

const KINDS = { production: 'Production', non_production: 'Not production' } as const

interface DialogProps {
  /** Absent: a new one. */
  readonly stored: Stored<Deployment> | undefined
  readonly onClose: () => void
  readonly onCredentials: (credentials: Credentials) => void
}

/** Registers another gateway, or changes which workspaces it may serve. */
export const DeploymentDialog = ({ stored, onClose, onCredentials }: DialogProps) => {
  const existing = stored?.data
  const { workspaces } = useSession()
  const [name, setName] = useState(existing?.name ?? '')
  const [slug, setSlug] = useState('')
  const [type, setType] = useState<keyof typeof KINDS>(existing?.type ?? 'production')
  const [address, setAddress] = useState(existing?.auth_settings.gateway_base_url ?? '')
  const [isForAll, setForAll] = useState(existing?.auth_settings.allow_all_workspaces === 1)
  const [allowed, setAllowed] = useState<readonly string[]>(existing?.workspaces.map((each) => each.slug) ?? [])
  const save = useEdit(
    stored,
    async (headers) => {
      const settings = {
        gateway_base_url: address === '' ? null : address,
        allow_all_workspaces: isForAll ? (1 as const) : (0 as const),
        workspaces_allowed: isForAll ? [] : [...allowed],
      }
      if (existing === undefined) {
        const body = { name, type, auth_settings: settings, ...(slug === '' ? {} : { slug }) }
        const { client_auth: secret, credentials } = await take(gateway.POST('/admin/v2/deployments', { body }))
        onCredentials({ secret, ...credentials })
        return
      }
      const body = { name, type, auth_settings: settings, override_existing: true }
      const params = { path: { deploymentId: existing.id } }
      await take(gateway.PUT('/admin/v2/deployments/{deploymentId}', { params, headers, body }))
    },
    onClose,
  )
  return (
    <Dialog title={existing === undefined ? 'New deployment' : 'Deployment'} onClose={onClose}>
      <EditForm edit={save} submit="Save" onCancel={onClose}>
        <TextField
          label="Name"
          required
          value={name}
          error={save.errorOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        {existing === undefined && (
          <TextField
            label="Slug"
            hint="Empty: made from the name."
            value={slug}
            error={save.errorOf('slug')}
            onChange={(event) => setSlug(event.target.value)}
          />
        )}
        <SelectField
          label="Kind"
          options={KINDS}
          value={type}
          onChange={(event) => setType(event.target.value as keyof typeof KINDS)}
        />
        <TextField
          label="Address"
          hint="Where it is reached, for the ping. Calls do not need it."
          placeholder="https://…"
          value={address}
          error={save.errorOf('auth_settings.gateway_base_url')}
          onChange={(event) => setAddress(event.target.value)}
        />
        <fieldset className="grid gap-2 rounded-md border border-line p-3">
          <legend className="px-1 font-medium">Workspaces that it serves</legend>
          <label className="flex items-center gap-2">
            <input type="checkbox" checked={isForAll} onChange={(event) => setForAll(event.target.checked)} />
            Every one, later ones too
          </label>
          {!isForAll &&
            workspaces.map((each) => (
              <label key={each.slug} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  checked={allowed.includes(each.slug)}
                  onChange={(event) =>
                    setAllowed(
                      event.target.checked ? [...allowed, each.slug] : allowed.filter((other) => other !== each.slug),
                    )
                  }
                />
                <span className="[overflow-wrap:anywhere]">{each.name}</span>
              </label>
            ))}
          {!isForAll && allowed.length === 0 && <p className="text-warn">Without one it gets nothing to serve.</p>}
        </fieldset>
      </EditForm>
    </Dialog>
  )
}
