import { useState } from 'react'
import { gateway, take, takeTagged } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { EditForm } from '../resource/edit-form.tsx'
import type { Stored } from '../resource/stored.tsx'
import { useEdit } from '../resource/use-edit.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { type CheckDraft, newCheck, toCheck, toCheckDraft } from './check-draft.ts'
import { CheckFields } from './check-fields.tsx'
import { KNOWN_CHECKS } from './known-checks.ts'

export const askGuardrail = (id: string, workspace: string) =>
  takeTagged(
    gateway.GET('/v2/guardrails/{guardrailId}', {
      params: { path: { guardrailId: id }, query: { workspace_id: workspace } },
    }),
  )

type Guardrail = Awaited<ReturnType<typeof askGuardrail>>['data']

export interface GuardrailDialogProps {
  /** Absent: a new one. */
  readonly stored: Stored<Guardrail> | undefined
  readonly onClose: () => void
}

/** What a new one does that fails. */
const NEW_ACTIONS: Guardrail['actions'] = {
  ...{ deny: true, async: false, sequential: false, soft_deny_200: false },
  ...{ stream_mode: 'after', stream_window: 200 },
}

const REFUSES = {
  deny: 'Refuses the call',
  async: 'Says so in the record, beside the call',
  pass: 'Says so, and lets it pass',
}

type Does = keyof typeof REFUSES

const doesOf = ({ deny, async: isBeside }: { readonly deny: boolean; readonly async: boolean }): Does =>
  isBeside ? 'async' : deny ? 'deny' : 'pass'

/** Makes a guardrail, or changes one. */
export const GuardrailDialog = ({ stored, onClose }: GuardrailDialogProps) => {
  const existing = stored?.data
  const { workspace } = useSession()
  const [name, setName] = useState(existing?.name ?? '')
  const [does, setDoes] = useState<Does>(doesOf(existing?.actions ?? NEW_ACTIONS))
  const [checks, setChecks] = useState<readonly CheckDraft[]>(existing?.checks.map(toCheckDraft) ?? [])
  const [next, setNext] = useState(KNOWN_CHECKS[0]?.id ?? '')
  const save = useEdit(
    stored,
    async (headers) => {
      const body = {
        name,
        checks: checks.map(toCheck),
        actions: { ...(existing?.actions ?? NEW_ACTIONS), deny: does === 'deny', async: does === 'async' },
      }
      if (existing === undefined) {
        await take(gateway.POST('/v2/guardrails', { body: { ...body, target: 'llm', workspace_id: workspace } }))
        return
      }
      await take(
        gateway.PUT('/v2/guardrails/{guardrailId}', {
          params: { path: { guardrailId: existing.id }, query: { workspace_id: workspace } },
          body,
          headers,
        }),
      )
    },
    onClose,
  )
  return (
    <Dialog title={existing === undefined ? 'New guardrail' : 'Guardrail'} onClose={onClose}>
      <EditForm edit={save} submit="Save" onCancel={onClose}>
        <TextField
          label="Name"
          required
          value={name}
          error={save.errorOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label="When a check fails"
          options={REFUSES}
          value={does}
          onChange={(event) => setDoes(event.target.value as Does)}
        />
        {checks.map((check, index) => (
          <CheckFields
            // biome-ignore lint/suspicious/noArrayIndexKey: the same check may stand there twice
            key={index}
            check={check}
            onChange={(changed) => setChecks(checks.map((each, at) => (at === index ? changed : each)))}
            onRemove={() => setChecks(checks.filter((_, at) => at !== index))}
          />
        ))}
        <div className="grid grid-cols-[1fr_auto] items-end gap-2">
          <SelectField
            label="Another check"
            options={Object.fromEntries(KNOWN_CHECKS.map(({ id }) => [id, id]))}
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
          <Button onClick={() => setChecks([...checks, newCheck(next)])}>Add</Button>
        </div>
      </EditForm>
    </Dialog>
  )
}
