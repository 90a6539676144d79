import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { gateway, take } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { type Period, type Window, windowOf } from '../ui/period.ts'

/** What all questions of the page have in common. */
export interface Question extends Window {
  readonly workspace_slug: string
}

const MINUTE_MS = 60_000

/** The question of a page. A range ends now, and moves on by the minute. */
export const useQuestion = (period: Period): Question => {
  const { workspace } = useSession()
  const minute = Math.floor(Date.now() / MINUTE_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the window is anew each minute, not with each render
  return useMemo(
    () => ({ workspace_slug: workspace, ...windowOf(period, '24h') }),
    [workspace, period.range, period.from, period.to, minute],
  )
}

/** Every graph of the page at once. */
export const useGraphs = (query: Question) =>
  useQuery({
    queryKey: ['analytics', 'graphs', query],
    placeholderData: (before) => before,
    async queryFn() {
      const params = { params: { query } }
      const [requests, errors, latency, tokens, cost, cache] = await Promise.all([
        take(gateway.GET('/v2/analytics/graphs/requests', params)),
        take(gateway.GET('/v2/analytics/graphs/errors', params)),
        take(gateway.GET('/v2/analytics/graphs/latency', params)),
        take(gateway.GET('/v2/analytics/graphs/tokens', params)),
        take(gateway.GET('/v2/analytics/graphs/cost', params)),
        take(gateway.GET('/v2/analytics/graphs/cache/hit-rate', params)),
      ])
      return { requests, errors, latency, tokens, cost, cache }
    },
  })

const COLUMNS = 'requests,error_count,p50_latency,p99_latency,total_tokens,cost'
const PAGE_SIZE = 10

/** A row of any of the tables. */
export interface GroupRow {
  readonly name: string
  readonly requests?: number | undefined
  readonly errors?: number | undefined
  readonly p50?: number | null | undefined
  readonly p99?: number | null | undefined
  readonly tokens?: number | undefined
  /** Cents. */
  readonly cost?: number | undefined
}

interface Counted {
  readonly requests?: number
  readonly error_count?: number
  readonly p50_latency?: number | null
  readonly p99_latency?: number | null
  readonly total_tokens?: number
  readonly cost?: number
}

const toRow = (name: string, row: Counted): GroupRow => ({
  ...{ name, requests: row.requests, errors: row.error_count, p50: row.p50_latency, p99: row.p99_latency },
  ...{ tokens: row.total_tokens, cost: row.cost },
})

export const GROUPS = { model: 'Model', provider: 'Provider', key: 'Key', user: 'User' } as const

export type Group = keyof typeof GROUPS

/** The calls of the window by what somebody wants to know. */
export const useGroup = (group: Group, query: Question) =>
  useQuery({
    queryKey: ['analytics', 'group', group, query],
    placeholderData: (before) => before,
    async queryFn(): Promise<readonly GroupRow[]> {
      const wide = { params: { query: { ...query, columns: COLUMNS, page_size: PAGE_SIZE } } }
      switch (group) {
        case 'model': {
          const { data } = await take(gateway.GET('/v2/analytics/groups/model', wide))
          return data.map((row) => toRow(row.model, row))
        }
        case 'provider': {
          const { data } = await take(gateway.GET('/v2/analytics/groups/provider', wide))
          return data.map((row) => toRow(row.provider, row))
        }
        case 'key': {
          const { data } = await take(gateway.GET('/v2/analytics/groups/api_key', wide))
          return data.map((row) => toRow(row.api_key, row))
        }
        case 'user': {
          const { data } = await take(
            gateway.GET('/v2/analytics/groups/users', { params: { query: { ...query, page_size: PAGE_SIZE } } }),
          )
          return data.map(({ user, requests, cost }) => ({
            name: user,
            requests: Number(requests),
            cost: Number(cost),
          }))
        }
      }
    },
  })
