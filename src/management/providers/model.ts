import { type Static, Type as t } from '@sinclair/typebox'
import type { Provider, ProviderWithIntegration } from '../../store/objects/providers.ts'
import { DateTime, Name, nullable, RateLimit, Reference, Slug, UsageLimits, Uuid } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { isExhausted, showUsageLimits, type WithUse } from '../own-budgets/live-budgets.ts'
import { outsideTag } from '../preconditions/entity-tag.ts'
import { answerOf } from '../resource/answer.ts'

const Note = t.String({ maxLength: 1024 })
const RateLimits = t.Array(RateLimit, { maxItems: 6, description: 'A value of 0 turns the provider off.' })

/** Names the workspace: for a workspace key only its own; absent means the default one of the organisation. */
export const WorkspaceQuery = t.Object({ workspace_id: t.Optional(Reference) })

export const ProviderQuery = t.Object({ ...pageQuery(50, 1000), workspace_id: t.Optional(Reference) })

const limits = {
  note: t.Optional(nullable(Note)),
  usage_limits: t.Optional(nullable(UsageLimits)),
  rate_limits: t.Optional(nullable(RateLimits)),
  expires_at: t.Optional(nullable(DateTime)),
}

export const NewProvider = t.Object({
  name: Name,
  integration_id: Reference,
  workspace_id: t.Optional(Reference),
  slug: t.Optional(Slug),
  ...limits,
})

export const ProviderChange = t.Object(
  {
    name: t.Optional(Name),
    workspace_id: t.Optional(Reference),
    ...limits,
    reset_usage: t.Optional(
      t.Boolean({ description: 'True: its count begins at 0 again, so that an exhausted one is active.' }),
    ),
  },
  { minProperties: 1 },
)
export type ProviderChangeBody = Static<typeof ProviderChange>

export const ProviderStatus = t.Union([t.Literal('active'), t.Literal('exhausted'), t.Literal('expired')])

export const ProviderReceipt = t.Object({ id: Uuid, slug: t.String() })

export const providerAnswer = (now: () => number) =>
  answerOf<WithUse<ProviderWithIntegration>>()(
    {
      id: Uuid,
      name: t.String(),
      integration_id: t.String({ description: 'Slug of its integration.' }),
      ai_provider_id: t.String(),
      workspace_id: Uuid,
      note: nullable(t.String()),
      status: outsideTag(ProviderStatus),
      usage_limits: nullable(UsageLimits),
      rate_limits: nullable(RateLimits),
      created_at: DateTime,
      last_updated_at: DateTime,
      slug: t.String(),
      expires_at: nullable(DateTime),
      object: t.Literal('provider'),
    },
    {
      integration_id: ({ integration }) => integration.slug,
      ai_provider_id: ({ integration }) => integration.aiProviderId,
      status: (provider) => shownStatus(provider, now()),
      usage_limits: ({ usageLimits, budgetUse }) =>
        usageLimits && showUsageLimits(usageLimits, 'virtual_key', budgetUse),
    },
  )

/** The stored status, but a provider whose time has passed is `expired` at once. */
export const statusOf = (provider: Pick<Provider, 'status' | 'expiresAt'>, nowMs: number): Provider['status'] =>
  provider.expiresAt !== null && provider.expiresAt.getTime() <= nowMs ? 'expired' : provider.status

/** Exhausted is also a provider whose budget, or that of its workspace at the integration, is used up. */
export const shownStatus = (provider: WithUse<Provider>, nowMs: number): Provider['status'] => {
  const status = statusOf(provider, nowMs)
  return status === 'active' && isExhausted(provider) ? 'exhausted' : status
}
