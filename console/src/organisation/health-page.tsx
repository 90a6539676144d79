import { useQuery } from '@tanstack/react-query'
import { failureOf } from '../api/failure.ts'
import { PROBES } from '../api/page.ts'
import { Badge } from '../ui/badge.tsx'
import { Code } from '../ui/copy.tsx'
import { Facts } from '../ui/facts.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Answered } from '../ui/states.tsx'

const REFRESH_MS = 5_000

interface Readiness {
  readonly ready: boolean
  readonly [detail: string]: unknown
}

/** A gateway that is not ready says why in the same form. */
const askReadiness = async (): Promise<Readiness> => {
  const response = await fetch(`${PROBES}/readyz`)
  const answer: unknown = await response.json().catch(() => undefined)
  if (!isReadiness(answer)) throw failureOf(answer, response)
  return answer
}

const isReadiness = (answer: unknown): answer is Readiness =>
  typeof answer === 'object' && answer !== null && 'ready' in answer && typeof answer.ready === 'boolean'

const simple = (value: unknown): value is string | number | boolean => typeof value !== 'object'

/** How this process is. */
export const HealthPage = () => {
  const query = useQuery({ queryKey: ['health'], queryFn: askReadiness, refetchInterval: REFRESH_MS, retry: false })
  return (
    <Page title="Health" about="How the process is that answers this page.">
      <Answered query={query}>
        {({ ready, ...details }) => (
          <>
            <Panel title="State">
              <Facts
                facts={{
                  Ready: <Badge tone={ready ? 'good' : 'bad'}>{ready ? 'yes' : 'no'}</Badge>,
                  ...Object.fromEntries(
                    Object.entries(details).flatMap(([name, value]) => (simple(value) ? [[name, String(value)]] : [])),
                  ),
                }}
              />
            </Panel>
            <Panel title="Details">
              <Code label="Details" text={JSON.stringify(details, null, 2)} />
            </Panel>
          </>
        )}
      </Answered>
    </Page>
  )
}
