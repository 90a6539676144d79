import { createInviteNews, NO_NEWS } from '../alerts/invite-news.ts'
import type { OperatorConfig } from '../config/schema.ts'
import type { Clock, Logger } from '../core/ports.ts'
import type { InvitesDeps } from '../management/invites/routes.ts'
import { createAttempts } from '../people/sign-in/attempts.ts'
import { createResolver } from '../upstream/resolver.ts'
import { createTrustedHosts } from '../upstream/trusted-hosts.ts'
import { createUpstream } from '../upstream/upstream.ts'
import { webhookOf } from './alerts.ts'
import type { Surroundings } from './own-store.ts'

export interface OpenInvitesOptions {
  readonly surroundings: Surroundings
  readonly config: Pick<OperatorConfig, 'egress'>
  readonly clock: Clock
  readonly log: Logger
}

const RESOLVE_TIMEOUT_MS = 5_000

/** What invites share in this process: who hears of them, and how often an address may try a link. */
export interface OpenInvites extends Pick<InvitesDeps['invites'], 'news' | 'attempts'> {
  close(): Promise<void>
}

/** @throws ConfigError for a webhook of the operator that cannot be used */
export const openInvites = ({ surroundings, config, clock, log }: OpenInvitesOptions): OpenInvites => {
  const now = (): number => clock.monotonicMs()
  const attempts = createAttempts({ now })
  const { env } = surroundings
  const receiver = webhookOf('WEIR_INVITE_WEBHOOK', {
    url: env.WEIR_INVITE_WEBHOOK_URL,
    secret: env.WEIR_INVITE_WEBHOOK_SECRET,
  })
  if (receiver === undefined) return { news: NO_NEWS, attempts, close: async () => undefined }
  const upstream = createUpstream({
    resolver: createResolver({ now, timeoutMs: RESOLVE_TIMEOUT_MS }),
    trusted: createTrustedHosts([...config.egress.trustedHosts, new URL(receiver.url).host]),
    now,
  })
  const news = createInviteNews({ receiver, upstream, now: clock.now, log })
  return {
    news,
    attempts,
    async close() {
      news.close()
      upstream.close()
    },
  }
}
