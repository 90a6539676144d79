import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { CALL_KEYS, TOOL_KEYS } from '../api/known.ts'
import type { paths } from '../api/schema.d.ts'
import { useSession } from '../api/session.tsx'
import { EditForm } from '../resource/edit-form.tsx'
import type { Stored } from '../resource/stored.tsx'
import { useEdit } from '../resource/use-edit.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import {
  type ConditionDraft,
  ConditionsField,
  GroupField,
  toConditionDrafts,
  toConditions,
} from './conditions-field.tsx'
import { MODES } from './modes.ts'

export type RateLimit =
  paths['/v2/policies/rate-limits']['get']['responses'][200]['content']['application/json']['data'][number]

export const UNITS = { rpm: 'minute', rph: 'hour', rpd: 'day', rpw: 'week' } as const

interface Draft {
  readonly name: string
  readonly type: RateLimit['type']
  readonly unit: RateLimit['unit']
  readonly value: string
  readonly mode: RateLimit['mode']
  readonly target: RateLimit['target']
  readonly conditions: readonly ConditionDraft[]
  readonly groups: readonly string[]
}

const NEW: Draft = {
  ...{ name: '', type: 'requests', unit: 'rpm', value: '60', mode: 'enforce', target: 'llm', groups: ['api_key'] },
  conditions: [{ key: 'workspace_id', value: '*' }],
}

const KEYS = { llm: CALL_KEYS, mcp_tools: TOOL_KEYS } as const

const toDraft = ({ name, type, unit, value, mode, target, conditions, group_by: groups }: RateLimit): Draft => ({
  ...{ name: name ?? '', type, unit, value: String(value), mode, target },
  ...{ conditions: toConditionDrafts(conditions), groups: groups.map(({ key }) => key) },
})

export interface LimitDialogProps {
  /** Absent: a new one. */
  readonly stored: Stored<RateLimit> | undefined
  readonly onClose: () => void
}

/** Makes a rate limit, or changes one. */
export const LimitDialog = ({ stored, onClose }: LimitDialogProps) => {
  const existing = stored?.data
  const { workspace } = useSession()
  const [draft, setDraft] = useState<Draft>(existing === undefined ? NEW : toDraft(existing))
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  const save = useEdit(
    stored,
    async (headers) => {
      const { name, type, unit, value, mode, target, conditions, groups } = draft
      const body = { name: name === '' ? null : name, unit, value: Number(value), mode }
      // What the form does not show of a condition stays where nothing of it was changed.
      const isSame =
        existing !== undefined && toDraft(existing).conditions.every((each, at) => isEqual(each, conditions[at]))
      const kept = isSame && existing.conditions.length === conditions.length
      if (existing === undefined) {
        await take(
          gateway.POST('/v2/policies/rate-limits', {
            body: {
              ...{ ...body, type, target, workspace_id: workspace, conditions: toConditions(conditions) },
              group_by: groups.map((key) => ({ key })),
            },
          }),
        )
        return
      }
      await take(
        gateway.PUT('/v2/policies/rate-limits/{rateLimitsPolicyId}', {
          params: { path: { rateLimitsPolicyId: existing.id } },
          headers,
          body: { ...body, ...(kept ? {} : { conditions: toConditions(conditions) }) },
        }),
      )
    },
    onClose,
  )
  return (
    <Dialog title={existing === undefined ? 'New rate limit' : 'Rate limit'} onClose={onClose}>
      <EditForm edit={save} submit="Save" onCancel={onClose}>
        <TextField label="Name" value={draft.name} onChange={(event) => change({ name: event.target.value })} />
        <div className="grid gap-3 sm:grid-cols-3">
          <TextField
            label="At most"
            type="number"
            min={0}
            required
            value={draft.value}
            error={save.errorOf('value')}
            onChange={(event) => change({ value: event.target.value })}
          />
          <SelectField
            label="Of"
            disabled={existing !== undefined}
            options={{ requests: 'requests', tokens: 'tokens' }}
            value={draft.type}
            onChange={(event) => change({ type: event.target.value as Draft['type'] })}
          />
          <SelectField
            label="In a"
            options={UNITS}
            value={draft.unit}
            onChange={(event) => change({ unit: event.target.value as Draft['unit'] })}
          />
        </div>
        {existing === undefined && (
          <SelectField
            label="About"
            options={{ llm: 'Calls to models', mcp_tools: 'Calls to tools' }}
            value={draft.target}
            onChange={(event) => change({ target: event.target.value as Draft['target'] })}
          />
        )}
        <ConditionsField
          keys={KEYS[draft.target]}
          value={draft.conditions}
          onChange={(conditions) => change({ conditions })}
        />
        {existing === undefined && (
          <GroupField keys={KEYS[draft.target]} value={draft.groups} onChange={(groups) => change({ groups })} />
        )}
        <SelectField
          label="What it does"
          hint="To try it on real calls, let it count first."
          options={MODES}
          value={draft.mode}
          onChange={(event) => change({ mode: event.target.value as Draft['mode'] })}
        />
      </EditForm>
    </Dialog>
  )
}

const isEqual = (left: ConditionDraft, right: ConditionDraft | undefined): boolean =>
  left.key === right?.key && left.value === right.value
