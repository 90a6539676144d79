import type { Logger, Upstream } from '../core/ports.ts'
import type { Invite } from '../store/objects/invites.ts'
import { newId } from '../store/objects/rows.ts'
import { deliver, type Receiver } from './deliver.ts'

/** Who hears of the links of invites, to bring them to people. */
export interface InviteNews {
  /** In the background; never throws. */
  tell(invite: Invite, link: string): void
}

/** Nobody but who invites. */
export const NO_NEWS: InviteNews = { tell: () => undefined }

export interface InviteNewsOptions {
  readonly receiver: Receiver
  readonly upstream: Upstream
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Pick<Logger, 'error'>
  /** Milliseconds before each further attempt. */
  readonly retryMs?: readonly number[]
}

const RETRY_MS: readonly number[] = [2_000, 10_000, 60_000]
/** Links that are on their way at once. One more is told to nobody but who invites, who has it. */
const MAX_WAITING = 100

/**
 * Tells a webhook of the links of invites. A link is a secret, so it is in memory alone: what could not be told after a minute
 * or so, or at the end of the process, is resent by whoever invited.
 */
export const createInviteNews = (options: InviteNewsOptions): InviteNews & { close(): void } => {
  const { receiver, upstream, now, log, retryMs = RETRY_MS } = options
  const timers = new Set<Timer>()
  let waiting = 0
  let isClosed = false

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms)
      timer.unref()
      timers.add(timer)
    })

  const send = async (
    { id, organisationId, email, role, invitedBy, expiresAt }: Invite,
    link: string,
  ): Promise<void> => {
    const data = {
      organisation_id: organisationId,
      invite_id: id,
      email,
      role,
      invite_link: link,
      invited_by: invitedBy,
    }
    const message = {
      ...{ id: newId(), kind: 'invite.created', createdAt: new Date(now()) },
      data: { ...data, expires_at: expiresAt.toISOString() },
    }
    for (const ms of [...retryMs, undefined]) {
      const { isDelivered, lastError } = await deliver(message, receiver, { upstream, now })
      if (isDelivered || isClosed) return
      if (ms === undefined) log.error('the link of an invite could not be told', { invite: id, reason: lastError })
      else await pause(ms)
    }
  }

  return {
    tell(invite, link) {
      if (waiting >= MAX_WAITING || isClosed) {
        log.error('the link of an invite was not told: too many are on their way', { invite: invite.id })
        return
      }
      waiting++
      void send(invite, link).finally(() => {
        waiting--
      })
    },
    close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
