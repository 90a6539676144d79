import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Breakers, type Probe } from '../../../plugins/pipeline/route/breaker.ts'
import { createLocalFlags } from '../../../src/core/local-stores.ts'
import type { SharedFlags } from '../../../src/core/ports.ts'

const COOLDOWN_MS = 30_000
const POLICY = { failureThreshold: 2, minimumRequests: 5, cooldownMs: COOLDOWN_MS }

type Step =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'call'; readonly process: number }
  | { readonly kind: 'end'; readonly which: number; readonly health: 'good' | 'bad' | 'none' }

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000, COOLDOWN_MS / 2, COOLDOWN_MS) }),
    fc.record({ kind: fc.constant('call' as const), process: fc.nat(1) }),
    fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(),
      health: fc.constantFrom('good' as const, 'bad' as const, 'none' as const),
    }),
  ) as fc.Arbitrary<Step>,
  { minLength: 60, maxLength: 300 },
)

describe('whatever happens in whatever order', () => {
  test('an open target is left alone for the whole cool-down, and then asked by one call of each process at a time', () => {
    let opened = 0
    let probes = 0
    fc.assert(
      fc.property(steps, (sequence) => {
        let nowMs = 0
        let openUntilMs = 0
        const now = (): number => nowMs
        const local = createLocalFlags(now)
        const flags: SharedFlags = {
          has: local.has,
          raise(name, forMs) {
            opened++
            openUntilMs = nowMs + forMs
            local.raise(name, forMs)
          },
          lower(name) {
            openUntilMs = nowMs
            local.lower(name)
          },
        }
        const processes = [new Breakers(flags, now), new Breakers(flags, now)] as const
        const running: { readonly process: number; readonly probe: Probe | undefined }[] = []
        for (const step of sequence) {
          if (step.kind === 'wait') nowMs += step.ms
          else if (step.kind === 'call') {
            const breakers = step.process === 0 ? processes[0] : processes[1]
            const isAvailable = breakers.isAvailable('t')
            if (nowMs < openUntilMs) expect(isAvailable).toBe(false)
            if (!isAvailable) continue
            const probe = breakers.begin('t')
            if (probe !== undefined) {
              probes++
              expect(running.some((other) => other.probe === probe)).toBe(false)
            }
            running.push({ process: step.process, probe })
          } else {
            const [ended] = running.splice(step.which % Math.max(1, running.length), 1)
            if (ended === undefined) continue
            const breakers = ended.process === 0 ? processes[0] : processes[1]
            breakers.end('t', POLICY, step.health, ended)
          }
        }
      }),
      { numRuns: 300 },
    )
    expect(opened).toBeGreaterThan(0)
    expect(probes).toBeGreaterThan(0)
  })
})
