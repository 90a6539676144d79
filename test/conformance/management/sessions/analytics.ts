import { SERIES } from '../../../../src/management/analytics/graphs.ts'
import type { Session } from '../recorder.ts'
import { ANALYTICS } from '../samples.ts'

const COST = 'graphs/cost/metadata/team'
/** Paths of graphs that have a point for each bucket. */
const OVER_TIME: ReadonlySet<string> = new Set([...SERIES.map(({ path }) => `graphs/${path}`), COST])

const DAY_MS = 86_400_000

/** Today and tomorrow, by the day: as many points at any time. */
const twoDays = (): string => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const [from, to] = [new Date(today).toISOString(), new Date(today + 2 * DAY_MS).toISOString()]
  return `time_of_generation_min=${from}&time_of_generation_max=${to}`
}

/** What the answers hold is for the tests of analytics: these are their forms, and who gets them. */
export const analytics: Session = async ({ get, as, world }) => {
  const { second } = world.ours
  const window = twoDays()
  await as('service').post('/feedback', { trace_id: 'a trace', value: 5, weight: 0.5 })
  const keyed = [COST, 'groups/metadata/team']
  for (const path of [...ANALYTICS, ...keyed]) {
    await get(`/analytics/${path}?${window}${OVER_TIME.has(path) ? '&interval=1d' : ''}`)
  }
  const requests = `/analytics/graphs/requests?${window}&interval=1d`
  await as('user').get(requests)
  await as('second service').get(`${requests}&workspace_slug=ws-default`)
  await as('their admin').get(requests)
  for (const filter of [
    `workspace_slug=${second.slug}`,
    `workspace_slug=${second.id}`,
    'workspace_slug=*',
    'workspace_slug=ws-none',
    'total_units_min=1&total_units_max=2&cost_min=0.5&cost_max=1.25',
    'total_units_min=3&total_units_max=2',
    'cost_min=3&cost_max=2.5',
    'weighted_feedback_min=-10&weighted_feedback_max=2.5',
    'status_code=200,429&virtual_keys=a,b&configs=c&api_key_ids=d&trace_id=e&span_id=f&prompt_slug=g',
    'status_code=ok',
    'metadata={"team":"blue"}',
    'metadata={"team"',
    'ai_org_model=openai__gpt-4o,anthropic__claude',
    'ai_org_model=gpt-4o',
  ]) {
    await get(`${requests}&${filter}`)
  }
  for (const interval of ['6h', '1m', '2h']) await get(`/analytics/graphs/requests?${window}&interval=${interval}`)
  await get('/analytics/graphs/requests?time_of_generation_min=2098-01-01T00:00:00Z')
  await get(
    '/analytics/graphs/requests?time_of_generation_min=2099-01-01T00:00:00Z&time_of_generation_max=2098-01-01T00:00:00Z',
  )
  await get(
    '/analytics/graphs/requests?time_of_generation_min=2001-01-01T00:00:00Z&time_of_generation_max=2001-01-02T00:00:00Z',
  )
  const models = `/analytics/groups/model?${window}`
  for (const choice of [
    'columns=requests,p95_latency,success_rate,first_seen&order_by=p95_latency&order_by_type=asc',
    'include_total=false&page_size=1&current_page=1',
    'page_size=0',
    'columns=requests,nonsense',
    'columns=,',
    'order_by=success_rate',
  ]) {
    await get(`${models}&${choice}`)
  }
  await get(`/analytics/groups/users?${window}&order_by=cost&order_by_type=asc`)
  await get(`/analytics/groups/users?${window}&columns=cost`)
}
