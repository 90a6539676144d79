import { Link, useSearch } from '@tanstack/react-router'
import { duration, money, shortCount } from '../ui/format.ts'
import { Page } from '../ui/page.tsx'
import { Answered } from '../ui/states.tsx'
import { GraphPanel } from './graph-panel.tsx'
import { GroupTable } from './group-table.tsx'
import { useGraphs, useGraphsBefore, useQuestion } from './questions.ts'
import { Tiles } from './tiles.tsx'
import { TimeChoice } from './time-choice.tsx'

/** How much is called, how well, and what it costs. */
export const OverviewPage = () => {
  const period = useSearch({ from: '/overview' })
  const question = useQuestion(period)
  const graphs = useGraphs(question)
  const before = useGraphsBefore(question)
  const about = { window: question }
  return (
    <Page
      title="Overview"
      about="How much is called, how well, and what it costs, beside the time of the same length before."
      actions={<TimeChoice key={JSON.stringify(period)} period={period} />}
    >
      <Answered query={graphs}>
        {(now) => {
          const { requests, errors, latency, tokens, cost, cache } = now
          return (
            <>
              <Tiles now={now} before={before} />
              {cost.summary.unpriced_requests > 0 && (
                <p className="text-soft">
                  Calls without a known price, which are in no cost: {shortCount(cost.summary.unpriced_requests)}.
                </p>
              )}
              <div className="grid gap-4 lg:grid-cols-2">
                <GraphPanel
                  title="Calls"
                  points={requests.data_points}
                  before={before?.requests.data_points}
                  lines={{ calls: ({ total: all }) => all }}
                  show={shortCount}
                  about={{}}
                  {...about}
                />
                <GraphPanel
                  title="Errors"
                  points={errors.data_points}
                  before={before?.errors.data_points}
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
                  before={before?.tokens.data_points}
                  lines={{ tokens: ({ total: all }) => all }}
                  show={shortCount}
                  about={{}}
                  {...about}
                />
                <GraphPanel
                  title="Cost"
                  points={cost.data_points}
                  before={before?.cost.data_points}
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
              {requests.summary.total === 0 && (
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
