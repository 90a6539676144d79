import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { KEY_SCOPES } from '../api/known.ts'
import { useSession } from '../api/session.tsx'
import { EditForm } from '../resource/edit-form.tsx'
import type { Stored } from '../resource/stored.tsx'
import { useEdit } from '../resource/use-edit.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { AreaField, TextField } from '../ui/field.tsx'
import { type ApiKey, CALLING_SCOPES, type KeyDraft, NEW_KEY, toChange, toCreation, toDraft } from './model.ts'

export interface KeyDialogProps {
  /** Absent: a new one. */
  readonly stored: Stored<ApiKey> | undefined
  readonly onClose: () => void
  /** Hears of the secret of a new key, which is shown once. */
  readonly onSecret: (secret: string) => void
}

/** Makes a key of the workspace, or changes one. */
export const KeyDialog = ({ stored, onClose, onSecret }: KeyDialogProps) => {
  const existing = stored?.data
  const { workspace } = useSession()
  const [draft, setDraft] = useState<KeyDraft>(existing === undefined ? NEW_KEY : toDraft(existing))
  const set = (name: keyof KeyDraft) => (event: { readonly target: { readonly value: string } }) =>
    setDraft({ ...draft, [name]: event.target.value })
  const save = useEdit(
    stored,
    async (headers) => {
      if (existing === undefined) {
        const body = { ...toCreation(draft), workspace_id: workspace }
        return (await take(gateway.POST('/v2/api-keys/service', { body }))).key
      }
      await take(
        gateway.PUT('/v2/api-keys/{id}', {
          params: { path: { id: existing.id } },
          body: toChange(existing, draft),
          headers,
        }),
      )
      return undefined
    },
    (secret) => {
      onClose()
      if (secret !== undefined) onSecret(secret)
    },
  )
  return (
    <Dialog title={existing === undefined ? 'New key' : `Key ${existing.name}`} onClose={onClose}>
      <EditForm edit={save} submit={existing === undefined ? 'Make the key' : 'Save'} onCancel={onClose}>
        <TextField
          label="Name"
          required
          maxLength={255}
          value={draft.name}
          error={save.errorOf('name')}
          onChange={set('name')}
        />
        <TextField
          label="Description"
          value={draft.description}
          error={save.errorOf('description')}
          onChange={set('description')}
        />
        <AreaField
          label="What it may do"
          hint="Scopes, one in each line."
          required
          className="font-mono text-xs"
          value={draft.scopes}
          onChange={set('scopes')}
        />
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setDraft({ ...draft, scopes: CALLING_SCOPES.join('\n') })}>Call models</Button>
          <Button onClick={() => setDraft({ ...draft, scopes: KEY_SCOPES.join('\n') })}>Everything</Button>
        </div>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label="Requests per minute"
            hint="Empty: no limit."
            type="number"
            min={0}
            value={draft.requestsPerMinute}
            onChange={set('requestsPerMinute')}
          />
          <TextField
            label="Dollars per month"
            hint="Empty: no budget."
            type="number"
            min={1}
            step={1}
            value={draft.dollarsPerMonth}
            onChange={set('dollarsPerMonth')}
          />
        </div>
        <TextField
          label="Ends at"
          hint="Empty: never."
          type="datetime-local"
          value={draft.expiresAt}
          error={save.errorOf('expires_at')}
          onChange={set('expiresAt')}
        />
      </EditForm>
    </Dialog>
  )
}

/** A secret, this once. */
export const SecretDialog = ({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) => (
  <Dialog
    title="The new key"
    about="This is the only time that it is shown: only its hash is stored."
    onClose={onClose}
  >
    <code className="rounded bg-raised p-3 font-mono break-all">{secret}</code>
    <div className="flex justify-end gap-2">
      <CopyButton text={secret} what="Copy the key" />
      <Button look="primary" onClick={onClose}>
        I have it
      </Button>
    </div>
  </Dialog>
)
