import { defined } from '../../core/defined.ts'
import type { ApiKeyRecord, NewApiKeyRecord } from '../../store/objects/api-keys.ts'
import type { RequestDefaults } from '../../store/schema/tenancy.ts'
import { toKeyLogSettings } from '../log-settings/model.ts'
import { toFutureDate, toUsageLimits } from '../own-budgets/usage-limits.ts'
import { columnsOf, ifGiven } from '../resource/answer.ts'
import type { UpdateKeyBody } from './model.ts'
import { type RotatedKeyRecord, toRotation } from './rotation-policy.ts'

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
    | 'nextRotationAt'
  >
>

/**
 * The settings of a body as they are stored: a field that is absent stays as it is, null clears it.
 * @param at `before`: the key as it is, for a change
 * @throws ManagementInvalid for what no schema can say
 */
export const toSettings = (
  { usage_limits: limits, logs, defaults, expires_at: expiry, rotation_policy: policy, ...body }: SettingsBody,
  at: { readonly nowMs: number; readonly before?: RotatedKeyRecord & Pick<ApiKeyRecord, 'usageLimits'> },
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
  }),
  ...(policy !== undefined && toRotation(policy, at.nowMs, at.before)),
})

const toDefaults = (body: NonNullable<SettingsBody['defaults']>): RequestDefaults =>
  defined({
    metadata: body.metadata,
    configId: body.config_id ?? undefined,
    allowConfigOverride: body.allow_config_override,
  })
