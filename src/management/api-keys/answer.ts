import { Type as t } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import type { ApiKeyRecord } from '../../store/objects/api-keys.ts'
import { API_KEY_KINDS, CREATION_MODES } from '../../store/schema/api-keys.ts'
import type { RequestDefaults } from '../../store/schema/tenancy.ts'
import { DateTime, Description, KeyRateLimit, Name, nullable, UsageLimits, Uuid } from '../fields.ts'
import { KeyLogs, toKeyLogSettings } from '../log-settings/model.ts'
import { isExhausted, lastResetOf, showUsageLimits, type WithUse } from '../own-budgets/live-budgets.ts'
import { outsideTag } from '../preconditions/entity-tag.ts'
import { answerOf } from '../resource/answer.ts'
import { Defaults, RotationPolicy, SHOWN_STATUSES } from './model.ts'
import { collectableUntil } from './rotation.ts'
import { showRotationPolicy } from './rotation-policy.ts'

const keyFields = {
  id: Uuid,
  key: t.String({ description: 'Masked.' }),
  name: Name,
  description: nullable(Description),
  type: t.Union(API_KEY_KINDS.map((kind) => t.Literal(kind))),
  organisation_id: Uuid,
  workspace_id: nullable(Uuid),
  user_id: nullable(Uuid),
  status: outsideTag(SHOWN_STATUSES),
  created_at: DateTime,
  last_updated_at: DateTime,
  creation_mode: t.Union(CREATION_MODES.map((mode) => t.Literal(mode))),
  rate_limits: t.Array(KeyRateLimit),
  usage_limits: nullable(UsageLimits),
  last_reset_at: outsideTag(
    t.Union([DateTime, t.Null()], { description: 'When the period of its budget began by a reset.' }),
  ),
  next_usage_reset_at: outsideTag(nullable(DateTime)),
  logs: nullable(KeyLogs),
  reset_usage: t.Boolean({ description: 'Always false: usage is reset at once.' }),
  scopes: t.Array(t.String()),
  defaults: nullable(Defaults),
  alert_emails: t.Array(t.String()),
  expires_at: nullable(DateTime),
  rotation_policy: nullable(RotationPolicy),
  key_transition_expires_at: outsideTag(
    t.Union([DateTime, t.Null()], {
      description: 'Until when the secret before the last rotation works; null when none does.',
    }),
  ),
  rotated_key_expires_at: outsideTag(
    t.Union([DateTime, t.Null()], {
      description: 'Until when the secret that it got by itself can be collected; null when none waits.',
    }),
  ),
  object: t.Literal('api-key'),
}

export const KeyWithUsage = t.Object({
  ...keyFields,
  rate_limit_usage: t.Optional(
    outsideTag(
      t.Array(
        t.Object({ ...KeyRateLimit.properties, used: t.Number({ minimum: 0 }), remaining: t.Number({ minimum: 0 }) }),
        { description: 'What each of `rate_limits` has counted in its window until now. Only with `include_usage`.' },
      ),
    ),
  ),
})

/** A key as the interface shows it (interface contract, section 3.8); its secret only masked. */
export const keyAnswer = (now: () => number) =>
  answerOf<WithUse<ApiKeyRecord>>()(keyFields, {
    key: ({ maskedKey }) => maskedKey,
    type: ({ kind }) => kind,
    status: (key) => shownStatus(key, now()),
    rate_limits: ({ rateLimits }) => [...(rateLimits ?? [])],
    usage_limits: ({ usageLimits, budgetUse }) => usageLimits && showUsageLimits(usageLimits, 'api_key', budgetUse),
    last_reset_at: ({ budgetUse: [use] = [] }) => lastResetOf(use),
    next_usage_reset_at: ({ budgetUse: [use] = [] }) =>
      use?.endMs === undefined ? null : new Date(use.endMs).toISOString(),
    logs: ({ logs }) => logs && toKeyLogSettings({ ...logs }),
    reset_usage: () => false,
    defaults: ({ defaults }) => defaults && showDefaults(defaults),
    alert_emails: ({ alertEmails }) => alertEmails ?? [],
    rotation_policy: showRotationPolicy,
    // Whether the secret before the last rotation still works.
    key_transition_expires_at: ({ previousExpiresAt: until }) =>
      until !== null && until.getTime() > now() ? until.toISOString() : null,
    rotated_key_expires_at: (key) => collectableUntil(key, now())?.toISOString() ?? null,
  })

const shownStatus = (key: WithUse<ApiKeyRecord>, nowMs: number): 'active' | 'exhausted' | 'expired' => {
  const { status, expiresAt } = key
  if (status === 'revoked' || (expiresAt !== null && expiresAt.getTime() <= nowMs)) return 'expired'
  return status === 'active' && isExhausted(key) ? 'exhausted' : status
}

const showDefaults = ({ metadata, configId, allowConfigOverride = true }: RequestDefaults) => ({
  ...defined({ metadata, config_id: configId }),
  allow_config_override: allowConfigOverride,
})
