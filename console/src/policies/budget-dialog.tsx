import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { BUDGET_KEYS } from '../api/known.ts'
import type { paths } from '../api/schema.d.ts'
import { useSession } from '../api/session.tsx'
import { EditForm } from '../resource/edit-form.tsx'
import type { Stored } from '../resource/stored.tsx'
import { useEdit } from '../resource/use-edit.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { type ConditionDraft, ConditionsField, GroupField, toConditions } from './conditions-field.tsx'
import { MODES } from './modes.ts'

export type Budget =
  paths['/v2/policies/usage-limits']['get']['responses'][200]['content']['application/json']['data'][number]

const KINDS = { cost: 'US dollars', tokens: 'tokens', requests: 'requests' } as const
const PERIODS = { monthly: 'month', weekly: 'week', '': 'whole life' } as const

interface Draft {
  readonly name: string
  readonly type: Budget['type']
  readonly limit: string
  readonly period: keyof typeof PERIODS
  readonly alertAt: string
  readonly mode: Budget['mode']
  readonly conditions: readonly ConditionDraft[]
  readonly groups: readonly string[]
}

const NEW: Draft = {
  ...{ name: '', type: 'cost', limit: '100', period: 'monthly', alertAt: '', mode: 'enforce' },
  ...{ conditions: [{ key: 'workspace_id', value: '*' }], groups: ['api_key'] },
}

const toDraft = (budget: Budget): Draft => ({
  ...NEW,
  name: budget.name ?? '',
  type: budget.type,
  limit: String(budget.credit_limit),
  period: budget.periodic_reset ?? '',
  alertAt: String(budget.alert_threshold ?? ''),
  mode: budget.mode,
})

export interface BudgetDialogProps {
  /** Absent: a new one. */
  readonly stored: Stored<Budget> | undefined
  readonly onClose: () => void
}

/** Makes a budget, or changes what it allows. */
export const BudgetDialog = ({ stored, onClose }: BudgetDialogProps) => {
  const existing = stored?.data
  const { workspace } = useSession()
  const [draft, setDraft] = useState<Draft>(existing === undefined ? NEW : toDraft(existing))
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  const save = useEdit(
    stored,
    async (headers) => {
      const { name, type, limit, period, alertAt, mode, conditions, groups } = draft
      const common = {
        name: name === '' ? null : name,
        credit_limit: Number(limit),
        alert_threshold: alertAt === '' ? null : Number(alertAt),
      }
      if (existing === undefined) {
        await take(
          gateway.POST('/v2/policies/usage-limits', {
            body: {
              ...{ ...common, type, mode, workspace_id: workspace, conditions: toConditions(conditions) },
              group_by: groups.map((key) => ({ key })),
              ...(period === '' ? {} : { periodic_reset: period }),
            },
          }),
        )
        return
      }
      await take(
        gateway.PUT('/v2/policies/usage-limits/{policyUsageLimitsId}', {
          params: { path: { policyUsageLimitsId: existing.id } },
          headers,
          body: {
            ...common,
            ...(mode === existing.mode ? {} : { mode }),
            ...(period === (existing.periodic_reset ?? '') ? {} : { periodic_reset: period === '' ? null : period }),
          },
        }),
      )
    },
    onClose,
  )
  return (
    <Dialog title={existing === undefined ? 'New budget' : 'Budget'} onClose={onClose}>
      <EditForm edit={save} submit="Save" onCancel={onClose}>
        <TextField label="Name" value={draft.name} onChange={(event) => change({ name: event.target.value })} />
        <div className="grid gap-3 sm:grid-cols-3">
          <TextField
            label="At most"
            type="number"
            min={0}
            step="any"
            required
            value={draft.limit}
            error={save.errorOf('credit_limit')}
            onChange={(event) => change({ limit: event.target.value })}
          />
          <SelectField
            label="Of"
            disabled={existing !== undefined}
            options={KINDS}
            value={draft.type}
            onChange={(event) => change({ type: event.target.value as Draft['type'] })}
          />
          <SelectField
            label="In a"
            options={PERIODS}
            value={draft.period}
            onChange={(event) => change({ period: event.target.value as Draft['period'] })}
          />
        </div>
        <TextField
          label="Tell when this is used"
          hint="Raises an alert. Empty: none."
          type="number"
          min={0}
          step="any"
          value={draft.alertAt}
          error={save.errorOf('alert_threshold')}
          onChange={(event) => change({ alertAt: event.target.value })}
        />
        {existing === undefined && (
          <>
            <ConditionsField
              keys={BUDGET_KEYS}
              value={draft.conditions}
              onChange={(conditions) => change({ conditions })}
            />
            <GroupField keys={BUDGET_KEYS} value={draft.groups} onChange={(groups) => change({ groups })} />
          </>
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
