import { type Alerts, createAlerts, SECRET_FIELD } from '../alerts/alerts.ts'
import { watchBudgets } from '../alerts/budget-watch.ts'
import { isWebhookSecret } from '../alerts/signature.ts'
import type { Counters } from '../budgets/counter.ts'
import type { Counting } from '../budgets/rule.ts'
import { valueKeyOf } from '../budgets/value-key.ts'
import { ConfigError } from '../config/config-error.ts'
import type { OperatorConfig } from '../config/schema.ts'
import type { Clock, Logger, Upstream } from '../core/ports.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { Db } from '../store/types.ts'
import { createResolver } from '../upstream/resolver.ts'
import { createTrustedHosts } from '../upstream/trusted-hosts.ts'
import { createUpstream } from '../upstream/upstream.ts'
import type { Surroundings } from './own-store.ts'

export interface OpenAlertsOptions {
  readonly surroundings: Surroundings
  readonly config: Pick<OperatorConfig, 'egress'>
  readonly db: Db
  readonly secretBox: Pick<SecretBox, 'open'>
  readonly clock: Clock
  readonly log: Logger
}

const RESOLVE_TIMEOUT_MS = 5_000

/** The alerts of this process, with a way out of their own. @throws ConfigError for a webhook of the operator that cannot be used */
export const openAlerts = ({ surroundings, config, db, secretBox, clock, log }: OpenAlertsOptions): Alerts => {
  const now = (): number => clock.monotonicMs()
  const resolver = createResolver({ now, timeoutMs: RESOLVE_TIMEOUT_MS })
  const upstreamTo = (...more: string[]): Upstream & { close(): void } =>
    createUpstream({ resolver, trusted: createTrustedHosts([...config.egress.trustedHosts, ...more]), now })
  const upstream = upstreamTo()
  const { env } = surroundings
  const receiver = webhookOf('WEIR_ALERT_WEBHOOK', {
    url: env.WEIR_ALERT_WEBHOOK_URL,
    secret: env.WEIR_ALERT_WEBHOOK_SECRET,
  })
  const operator = receiver && { receiver, upstream: upstreamTo(new URL(receiver.url).host) }
  const alerts = createAlerts({
    db,
    upstream,
    now: clock.now,
    log,
    operator,
    openSecret: (organisationId, id, sealed) => secretBox.open(organisationId, id, SECRET_FIELD, sealed),
  })
  return {
    ...alerts,
    async close() {
      await alerts.close()
      upstream.close()
      operator?.upstream.close()
    },
  }
}

/** Has the counts that calls meet watched, by what their budgets say. */
export const watchCounts = (counters: Counters, alerts: Alerts): NonNullable<Counting['onCount']> => {
  const { watch } = watchBudgets(counters, alerts)
  return (counter, { organisationId, owner, ownerId, name, limit, alertThreshold, group, mode }) => {
    // Shadow budgets are there to be tried, not to wake people up.
    if (mode === 'shadow') return
    const valueKey = owner === 'policy' ? valueKeyOf(group) : undefined
    watch(counter, { organisationId, owner, ownerId, name, limit, alertThreshold, valueKey })
  }
}

/**
 * A webhook of the operator, by its two variables.
 * @param name what both begin with
 * @throws ConfigError for one that cannot be used
 */
export const webhookOf = (
  name: string,
  { url, secret }: { readonly url: string | undefined; readonly secret: string | undefined },
): { readonly url: string; readonly secret: string } | undefined => {
  if (!url && !secret) return undefined
  if (!url || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new ConfigError(`${name}_URL must be an http or https URL.`)
  }
  if (!secret || !isWebhookSecret(secret)) {
    throw new ConfigError(`${name}_SECRET must be \`whsec_\` and 24 to 64 bytes in base64.`)
  }
  return { url, secret }
}
