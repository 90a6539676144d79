import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { type Period, type Window, windowBefore, windowOf } from '../ui/period.ts'

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

const askGraphs = async (query: Question) => {
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
}

export type Graphs = Awaited<ReturnType<typeof askGraphs>>

/** Every graph of the page at once. */
export const useGraphs = (query: Question) =>
  useQuery({
    queryKey: ['analytics', 'graphs', query],
    placeholderData: (before) => before,
    queryFn: () => askGraphs(query),
  })

/** The same of the time before. Undefined where that is not kept any more. */
export const useGraphsBefore = (query: Question): Graphs | undefined =>
  useQuery({
    queryKey: ['analytics', 'graphs', query, 'before'],
    placeholderData: (before) => before,
    queryFn: () => askGraphs(windowBefore(query)),
    retry: false,
  }).data

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

export const GROUPS = { model: 'Model', provider: 'Provider', key: 'Key', user: 'User', metadata: 'Metadata' } as const

export type Group = keyof typeof GROUPS

/**
 * The calls of the window by what somebody wants to know.
 * @param metadataKey by whose values they are grouped as `metadata`
 */
export const useGroup = (group: Group, metadataKey: string, query: Question) =>
  useQuery({
    queryKey: ['analytics', 'group', group, metadataKey, query],
    enabled: group !== 'metadata' || metadataKey !== '',
    // Those of another group would stand under a wrong title.
    placeholderData: (before, last) =>
      last?.queryKey[2] === group && last.queryKey[3] === metadataKey ? before : undefined,
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
        case 'metadata': {
          const { data } = await take(
            gateway.GET('/v2/analytics/groups/metadata/{metadataKey}', {
              params: { path: { metadataKey }, query: { ...query, page_size: PAGE_SIZE } },
            }),
          )
          return data.map(({ metadata_value: name, requests, cost, avg_tokens: tokensOfOne }) => ({
            ...{ name, requests, cost },
            tokens: tokensOfOne === null ? undefined : tokensOfOne * requests,
          }))
        }
      }
    },
  })

const LOOKED_AT = 100

/** Names that calls of late had in their metadata. */
export const useMetadataKeys = (): readonly string[] => {
  const { workspace } = useSession()
  const mayLook = useMay('logs.list')
  const { data } = useQuery({
    queryKey: ['records', workspace, 'metadata keys'],
    queryFn: () =>
      take(gateway.GET('/v2/logs', { params: { query: { workspace_slug: workspace, limit: LOOKED_AT } } })),
    enabled: mayLook,
  })
  return [...new Set(data?.data.flatMap(({ metadataKey }) => metadataKey))]
}
