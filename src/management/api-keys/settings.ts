import { defined } from '../../core/defined.ts'
import type { ApiKeyRecord, NewApiKeyRecord } from '../../store/objects/api-keys.ts'
import type { RotationPolicy } from '../../store/schema/api-keys.ts'
import type { RequestDefaults } from '../../store/schema/tenancy.ts'
import { invalidField } from '../invalid-field.ts'
import { toKeyLogSettings } from '../log-settings/model.ts'
import { columnsOf, ifGiven } from '../resource/answer.ts'
import { toFutureDate, toUsageLimits } from '../usage-limits.ts'
import { MINIMUM_TRANSITION_MS, type UpdateKeyBody } from './model.ts'

type SettingsBody = Omit<UpdateKeyBody, 'id' | 'scopes' | 'reset_usage'>

/** Fields of a key that both a creation and an update may set. */
export type KeySettings = Partial<
  Pick<
    NewApiKeyRecord,
    | 'name'
    | 'description'
    | 'rateLimits'
    | 'usageLimits'
    | 'logs'
    | 'defaults'
    | 'alertEmails'
    | 'expiresAt'
    | 'rotationPolicy'
  >
>

/**
 * The settings of a body as they are stored: a field that is absent stays as it is, null clears it.
 * @param at `before`: the key as it is, for a change
 * @throws ManagementInvalid for what no schema can say
 */
export const toSettings = (
  { usage_limits: limits, logs, defaults, expires_at: expiry, rotation_policy: policy, ...body }: SettingsBody,
  at: { readonly nowMs: number; readonly before?: Pick<ApiKeyRecord, 'usageLimits'> },
): KeySettings => ({
  ...columnsOf(body, ['name', 'description', 'rate_limits', 'alert_emails']),
  ...defined({
    logs: ifGiven(logs, toKeyLogSettings),
    usageLimits: ifGiven(limits, (given) =>
      toUsageLimits(given, {
        path: 'usage_limits',
        before: at.before?.usageLimits && [at.before.usageLimits],
        nowMs: at.nowMs,
      }),
    ),
    defaults: ifGiven(defaults, toDefaults),
    expiresAt: ifGiven(expiry, (text) => toFutureDate(text, 'expires_at', at.nowMs)),
    rotationPolicy: ifGiven(policy, (given) => toRotationPolicy(given, at.nowMs)),
  }),
})

const toDefaults = (body: NonNullable<SettingsBody['defaults']>): RequestDefaults =>
  defined({
    metadata: body.metadata,
    configId: body.config_id ?? undefined,
    allowConfigOverride: body.allow_config_override,
  })

const DAY_MS = 86_400_000
const PERIOD_DAYS = { weekly: 7, monthly: 28 } as const

const toRotationPolicy = (body: NonNullable<SettingsBody['rotation_policy']>, nowMs: number): RotationPolicy => {
  const rotationPeriod = body.rotation_period ?? undefined
  const rotationPeriodDays = body.rotation_period_days ?? undefined
  const keyTransitionPeriodMs = body.key_transition_period_ms ?? undefined
  const next = body.next_rotation_at ?? undefined
  if ([rotationPeriod, rotationPeriodDays, next].filter((choice) => choice !== undefined).length !== 1) {
    throw invalidField(
      'rotation_policy',
      'needs exactly one of `rotation_period`, `rotation_period_days` and `next_rotation_at`',
    )
  }
  const nextRotationAt = next === undefined ? undefined : toFutureDate(next, 'rotation_policy.next_rotation_at', nowMs)
  const periodMs =
    nextRotationAt === undefined
      ? DAY_MS * (rotationPeriodDays ?? PERIOD_DAYS[rotationPeriod ?? 'weekly'])
      : nextRotationAt.getTime() - nowMs
  if ((keyTransitionPeriodMs ?? MINIMUM_TRANSITION_MS) >= periodMs) {
    throw invalidField('rotation_policy.key_transition_period_ms', 'must be shorter than the time until the rotation')
  }
  return defined({
    rotationPeriod,
    rotationPeriodDays,
    nextRotationAt: nextRotationAt?.toISOString(),
    keyTransitionPeriodMs,
  })
}
