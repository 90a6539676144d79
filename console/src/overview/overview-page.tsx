import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SelectField } from '../ui/field.tsx'
import { duration, money, percent, shortCount } from '../ui/format.ts'
import { Page } from '../ui/page.tsx'
import { RANGES, type Range } from '../ui/period.ts'
import { Answered } from '../ui/states.tsx'
import { GraphPanel } from './graph-panel.tsx'
import { GroupTable } from './group-table.tsx'
import { useGraphs, useQuestion } from './questions.ts'

/** How much is called, how well, and what it costs. */
export const OverviewPage = () => {
  const period = useSearch({ from: '/overview' })
  const navigate = useNavigate()
  const question = useQuestion(period)
  const graphs = useGraphs(question)
  const about = { window: question }
  return (
    <Page
      title="Overview"
      actions={
        <SelectField
          label="Time"
          options={RANGES}
          value={period.range ?? '24h'}
          onChange={(event) => void navigate({ to: '/overview', search: { range: event.target.value as Range } })}
        />
      }
    >
      <Answered query={graphs}>
        {({ requests, errors, latency, tokens, cost, cache }) => {
          const total = requests.summary.total
          const saved = cache.data_points.at(-1)
          return (
            <>
              <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
                <Tile name="Calls">{shortCount(total)}</Tile>
                <Tile name="Errors">
                  {shortCount(errors.summary.total)}{' '}
                  <small className="block text-xs font-normal text-soft">
                    {percent(total === 0 ? 0 : (errors.summary.total / total) * 100)}
                  </small>
                </Tile>
                <Tile name="Latency, median">
                  {duration(latency.summary.p50)}{' '}
                  <small className="block text-xs font-normal text-soft">p99 {duration(latency.summary.p99)}</small>
                </Tile>
                <Tile name="Tokens">{shortCount(tokens.summary.total)}</Tile>
                <Tile name="Cost">{money(cost.summary.total)}</Tile>
                <Tile name="Saved by the cache">
                  {money(
                    (saved?.cumulative_simple_cache_savings ?? 0) + (saved?.cumulative_semantic_cache_savings ?? 0),
                  )}{' '}
                  <small className="block text-xs font-normal text-soft">{percent(cache.summary.rate)} hits</small>
                </Tile>
              </dl>
              {cost.summary.unpriced_requests > 0 && (
                <p className="text-soft">
                  Calls without a known price, which are in no cost: {shortCount(cost.summary.unpriced_requests)}.
                </p>
              )}
              <div className="grid gap-4 lg:grid-cols-2">
                <GraphPanel
                  title="Calls"
                  points={requests.data_points}
                  lines={{ calls: ({ total: all }) => all }}
                  show={shortCount}
                  about={{}}
                  {...about}
                />
                <GraphPanel
                  title="Errors"
                  points={errors.data_points}
                  lines={{ errors: ({ total: all }) => all }}
                  show={shortCount}
                  about={{ ended: 'badly' }}
                  {...about}
                />
                <GraphPanel
                  title="Latency"
                  points={latency.data_points}
                  lines={{ median: ({ p50 }) => p50, p90: ({ p90 }) => p90, p99: ({ p99 }) => p99 }}
                  show={duration}
                  about={{}}
                  {...about}
                />
                <GraphPanel
                  title="Tokens"
                  points={tokens.data_points}
                  lines={{ tokens: ({ total: all }) => all }}
                  show={shortCount}
                  about={{}}
                  {...about}
                />
                <GraphPanel
                  title="Cost"
                  points={cost.data_points}
                  lines={{ cost: ({ total: all }) => all }}
                  show={money}
                  about={{}}
                  {...about}
                />
                <GraphPanel
                  title="Answers from the cache"
                  points={cache.data_points}
                  lines={{ exact: (point) => point.simple_hits, similar: (point) => point.semantic_hits }}
                  show={shortCount}
                  about={{ cache_status: 'HIT' }}
                  {...about}
                />
              </div>
              {total === 0 && (
                <p className="text-soft">
                  No call in this time.{' '}
                  <Link to="/start" className="text-accent underline">
                    Send one
                  </Link>
                </p>
              )}
            </>
          )
        }}
      </Answered>
      <GroupTable question={question} />
    </Page>
  )
}

const Tile = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="rounded-lg border border-line bg-panel p-3">
    <dt className="text-soft">{name}</dt>
    <dd className="text-lg font-semibold">{children}</dd>
  </div>
)
