import { createDenials } from '../../../src/limits/denials.ts'
import { compilePolicies } from '../../../src/limits/match/compile.ts'
import type { LimitPolicy } from '../../../src/limits/match/policy.ts'
import { createMemoryStore } from '../../../src/limits/ring/memory-store.ts'
import { chargesOf, groupOf, WORKSPACE_ID } from './charges.ts'
import { type Quantiles, timeEach } from './samples.ts'

const CALLS = 200_000
const GROUPS = 100
const POLICIES = 1_000

/** Four charges by the rings in this process. */
export const measureMemoryStore = (): Quantiles => {
  const store = createMemoryStore({ now: Date.now })
  const calls = Array.from({ length: GROUPS }, (_, group) => chargesOf(4, { group: groupOf(group) }))
  return timeEach(CALLS, (turn) => {
    const charges = calls[turn % GROUPS]
    if (charges !== undefined) store.admit(charges)
  })
}

/** A refusal that is remembered. */
export const measureFastDeny = (): Quantiles => {
  const denials = createDenials()
  for (let ring = 0; ring < GROUPS; ring += 1) {
    denials.remember(
      groupOf(ring),
      {
        weight: 1,
        limit: 10,
        verdict: { fits: 'later', used: 10, index: 0, releaseMs: 100, resetMs: 100, fitMs: 100 },
      },
      0,
    )
  }
  const names = Array.from({ length: GROUPS }, (_, ring) => groupOf(ring))
  return timeEach(CALLS, (turn) => {
    if (denials.find(names[turn % GROUPS] ?? '', 1, 10, 0) === undefined) throw new Error('The denial was forgotten')
  })
}

/** Which of a thousand policies apply to a call: two do. */
export const measureMatcher = (): Quantiles => {
  const policies = Array.from(
    { length: POLICIES },
    (_, number): LimitPolicy => ({
      id: `policy-${number}`,
      organisationId: 'organisation',
      workspaceId: WORKSPACE_ID,
      name: null,
      target: 'llm',
      conditions: [{ key: 'metadata.team', value: `team-${Math.floor(number / 2)}` }],
      groupBy: ['api_key'],
      type: 'requests',
      unit: 'rpm',
      value: 100,
      onStoreFailure: 'local',
      reservation: 'bounded',
      mode: 'enforce',
    }),
  )
  const compiled = compilePolicies(policies, { target: 'llm', now: Date.now })
  const calls = Array.from({ length: GROUPS }, (_, number) => ({
    organisationId: 'organisation',
    workspaceId: WORKSPACE_ID,
    apiKeyId: `key-${number}`,
    metadata: { team: `team-${number}` },
    endpointType: 'chatComplete',
    model: 'some-model',
  }))
  return timeEach(CALLS, (turn) => {
    const facts = calls[turn % GROUPS]
    if (facts !== undefined && compiled.match(facts).length !== 2) throw new Error('Two policies apply')
  })
}
