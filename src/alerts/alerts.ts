import type { Logger, Upstream } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import { claimDeliveries, type DueDelivery, endAttempt, expireAlerts } from '../store/objects/alerts.ts'
import type { Db } from '../store/types.ts'
import { within } from '../timing/within.ts'
import { deliver, type Receiver } from './deliver.ts'
import { type NewAlert, raiseAlert } from './raise.ts'

/** Name of the secret of a webhook among what is sealed. */
export const SECRET_FIELD = 'alert_webhooks.secret'

export interface AlertsOptions {
  readonly db: Db
  /** The way to webhooks of workspaces. */
  readonly upstream: Upstream
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Logger
  /** The webhook of the operator, who may name an address that workspaces must not reach. */
  readonly operator?: { readonly receiver: Receiver; readonly upstream: Upstream } | undefined
  /** Opens the sealed secret of a webhook. */
  readonly openSecret: (organisationId: string, webhookId: string, sealed: string) => string | Promise<string>
  readonly pollMs?: number
  /** Milliseconds before each further attempt. */
  readonly retryMs?: readonly number[]
}

/** Alerts of this process: raised once among all, and brought to their receivers by any. */
export interface Alerts {
  /**
   * Raises an alert in the background, unless one with its subject was raised before. While the database is away it waits.
   * @param onRaised hears that it is in the database, raised now or before
   */
  raise(alert: NewAlert, onRaised?: () => void): void
  /** Raises an alert in the transaction of what it tells of: with that, or not at all. Delivered at the next look. */
  raiseWithin(transaction: Db, alert: NewAlert): Promise<void>
  /** Says that there may be something to deliver. */
  wake(): void
  /** Alerts that could not be raised yet, and those that were given up as there were too many. */
  stats(): { readonly waiting: number; readonly dropped: number }
  close(): Promise<void>
}

const POLL_MS = 5_000
const AT_ONCE = 10
/** Longer than the deadlines of an attempt. */
const CLAIM_MS = 30_000
/** About a day in all, as Standard Webhooks advises. */
const RETRY_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 57_600_000]
const MAX_WAITING = 10_000
const KEEP_DAYS = 90
const SWEEP_MS = 3_600_000
const CLOSE_MS = 5_000

/** Raises and delivers alerts. */
export const createAlerts = (options: AlertsOptions): Alerts => {
  const { db, upstream, now, log, operator, openSecret, pollMs = POLL_MS, retryMs = RETRY_MS } = options
  const waiting: { readonly alert: NewAlert; readonly onRaised: (() => void) | undefined }[] = []
  let dropped = 0
  let isClosed = false
  let running: Promise<void> | undefined
  let hasMore = false

  const receiverOf = async ({ webhook }: DueDelivery): Promise<Receiver | undefined> => {
    if (webhook === null) return operator?.receiver
    if (!webhook.isEnabled) return undefined
    const { id, organisationId, workspaceId, url } = webhook
    return { url, workspaceId, secret: await openSecret(organisationId, id, webhook.secret) }
  }

  const attempt = async (due: DueDelivery): Promise<void> => {
    const { delivery, alert } = due
    const receiver = await receiverOf(due)
    const outcome =
      receiver === undefined
        ? { isDelivered: false, lastStatus: null, lastError: 'no_receiver' }
        : await deliver(alert, receiver, {
            now,
            upstream: due.webhook === null && operator ? operator.upstream : upstream,
          })
    const pause = receiver === undefined || outcome.isDelivered ? undefined : retryMs[delivery.attempts - 1]
    if (!outcome.isDelivered && pause === undefined) {
      log.error('an alert could not be delivered', { alert: alert.id, kind: alert.kind, reason: outcome.lastError })
    }
    // Several receivers that come back should not be met by all at the same moment.
    await endAttempt(db, delivery, outcome, pause === undefined ? undefined : pause * (0.9 + Math.random() / 5))
  }

  const raiseAll = async (): Promise<void> => {
    for (let next = waiting[0]; next !== undefined && !isClosed; next = waiting[0]) {
      await raiseAlert(db, next.alert, operator !== undefined)
      waiting.shift()
      next.onRaised?.()
    }
  }

  const deliverAll = async (): Promise<void> => {
    while (!isClosed) {
      const due = await claimDeliveries(db, AT_ONCE, CLAIM_MS)
      if (due.length === 0) return
      await Promise.all(due.map(attempt))
    }
  }

  const run = async (): Promise<void> => {
    do {
      hasMore = false
      await raiseAll()
      await deliverAll()
    } while (hasMore && !isClosed)
  }

  const wake = (): void => {
    hasMore = true
    if (isClosed) return
    running ??= run()
      .catch((thrown: unknown) => log.warn('alerts have to wait for the database', errorFields(thrown)))
      .finally(() => {
        running = undefined
      })
  }

  const sweep = (): void => {
    expireAlerts(db, KEEP_DAYS).catch((thrown: unknown) =>
      log.warn('old alerts could not be removed', errorFields(thrown)),
    )
  }
  const timers = [setInterval(wake, pollMs), setInterval(sweep, SWEEP_MS)]
  for (const timer of timers) timer.unref()

  return {
    raise(alert, onRaised) {
      if (waiting.length < MAX_WAITING) waiting.push({ alert, onRaised })
      else if (dropped++ === 0)
        log.error('alerts are dropped: too many wait for the database', { waiting: MAX_WAITING })
      wake()
    },
    async raiseWithin(transaction, alert) {
      await raiseAlert(transaction, alert, operator !== undefined)
    },
    wake,
    stats: () => ({ waiting: waiting.length, dropped }),
    async close() {
      for (const timer of timers) clearInterval(timer)
      if (waiting.length > 0 && !isClosed)
        await within(
          raiseAll().catch(() => undefined),
          CLOSE_MS,
        )
      isClosed = true
      if (running !== undefined) await within(running, CLOSE_MS)
    },
  }
}
