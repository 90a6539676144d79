import type { ReactNode } from 'react'
import { duration, money, percent, shortCount } from '../ui/format.ts'
import type { Graphs } from './questions.ts'

/** The numbers of a time in one line, each beside what it was in the time before. */
export const Tiles = ({ now, before }: { readonly now: Graphs; readonly before: Graphs | undefined }) => {
  const { requests, errors, latency, tokens, cost, cache } = now
  const total = requests.summary.total
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
      <Tile name="Calls" now={total} before={before?.requests.summary.total}>
        {shortCount(total)}
      </Tile>
      <Tile
        name="Errors"
        more={percent(total === 0 ? 0 : (errors.summary.total / total) * 100)}
        now={errors.summary.total}
        before={before?.errors.summary.total}
        isWorseHigher
      >
        {shortCount(errors.summary.total)}
      </Tile>
      <Tile
        name="Latency, median"
        more={`p99 ${duration(latency.summary.p99)}`}
        now={latency.summary.p50}
        before={before?.latency.summary.p50}
        isWorseHigher
      >
        {duration(latency.summary.p50)}
      </Tile>
      <Tile name="Tokens" now={tokens.summary.total} before={before?.tokens.summary.total}>
        {shortCount(tokens.summary.total)}
      </Tile>
      <Tile name="Cost" now={cost.summary.total} before={before?.cost.summary.total}>
        {money(cost.summary.total)}
      </Tile>
      <Tile
        name="Saved by the cache"
        more={`${percent(cache.summary.rate)} hits`}
        now={savedBy(cache)}
        before={before === undefined ? undefined : savedBy(before.cache)}
      >
        {money(savedBy(cache))}
      </Tile>
    </dl>
  )
}

const savedBy = ({ data_points: points }: Graphs['cache']): number => {
  const last = points.at(-1)
  return (last?.cumulative_simple_cache_savings ?? 0) + (last?.cumulative_semantic_cache_savings ?? 0)
}

interface TileProps {
  readonly name: string
  readonly more?: string
  readonly now: number | null
  readonly before: number | null | undefined
  /** More of it is nothing to be glad of. */
  readonly isWorseHigher?: boolean
  readonly children: ReactNode
}

const Tile = ({ name, more, now, before, isWorseHigher = false, children }: TileProps) => (
  <div className="rounded-lg border border-line bg-panel p-3">
    <dt className="text-soft">{name}</dt>
    <dd className="text-lg font-semibold">
      <span>{children}</span>
      {more !== undefined && <small className="block text-xs font-normal text-soft">{more}</small>}
      <Change now={now} before={before} isWorseHigher={isWorseHigher} />
    </dd>
  </div>
)

/** Beyond this a share says less than the number itself. */
const MOST_PERCENT = 999

type ChangeProps = Pick<TileProps, 'now' | 'before' | 'isWorseHigher'>

/** How much more or less it is than in the time before. */
const Change = ({ now, before, isWorseHigher = false }: ChangeProps) => {
  if (now === null || before === null || before === undefined) return null
  if (before === 0) {
    return <small className="block text-xs font-normal text-soft">{now === 0 ? 'as before' : 'none before'}</small>
  }
  const share = ((now - before) / before) * 100
  const isFlat = Math.abs(share) < 0.05
  const tone = !isWorseHigher || isFlat ? 'text-soft' : share > 0 ? 'text-bad' : 'text-good'
  const amount = Math.abs(share) > MOST_PERCENT ? `over ${MOST_PERCENT} %` : percent(Math.abs(share))
  return (
    <small className={`block text-xs font-normal ${tone}`}>
      {isFlat ? 'as before' : `${amount} ${share > 0 ? 'more' : 'less'} than before`}
    </small>
  )
}
