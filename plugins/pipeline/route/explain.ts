import type { DryRun } from '#calls/slots'
import type { GuardrailUse } from '#core/guardrails'
import type { RouteExplanation, RouteStep } from '#core/route-explanation'
import type { Call } from '#kit'
import { defined } from '#kit'
import { callConfig } from '#kit/slots'
import { Cursor } from './cursor.ts'
import { routeFacts } from './facts.ts'
import { SILENT } from './failure.ts'
import { type AllBreakers, TargetHealth } from './health.ts'
import type { Patience } from './patience.ts'
import { reach } from './reach.ts'

export interface ExplainOptions {
  readonly breakers: AllBreakers
  readonly patience: Patience
  readonly random: () => number
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

const namesOf = (uses: readonly GuardrailUse[]): readonly string[] =>
  uses.map((use) => (use.kind === 'stored' ? use.reference : use.id))

/**
 * Finds out where a call would be sent first, and why, without sending it. What was decided until then stays in
 * the dry run when the call is refused on the way.
 * @throws a catalogue error, as the call itself would get
 */
export const explainRoute = async (
  call: Call,
  dryRun: DryRun,
  { breakers, patience, random, nowMs }: ExplainOptions,
): Promise<RouteExplanation> => {
  const config = call.get(callConfig)
  const steps: RouteStep[] = []
  dryRun.route = { steps }
  const cursor = new Cursor({
    ...routeFacts(call, nowMs),
    random,
    isAvailable: new TargetHealth(breakers, call).isAvailable,
    note: (step) => steps.push(step),
  })
  const { leaf, to } = await reach(
    cursor,
    cursor.start(config.plan.root),
    async (stop) => ({ leaf: stop.leaf, to: await config.bind(stop.leaf) }),
    ({ leaf: left }, { message }) => {
      const chosen = steps.findLastIndex(({ path }) => path === left.path)
      const skipped: RouteStep = { path: left.path, mode: 'target', decision: 'skipped', reason: message }
      steps.splice(chosen, 1, skipped)
    },
  )
  const { provider, storedProvider, model } = to
  const firstToken = cursor.canAdvance(SILENT) ? patience.explain(call, to) : undefined
  const route: RouteExplanation = {
    steps,
    chosen: defined({
      path: leaf.path,
      provider: provider.id,
      virtualKey: storedProvider,
      model,
      guardrails: leaf.guardrails && { input: namesOf(leaf.guardrails.input), output: namesOf(leaf.guardrails.output) },
      firstToken,
    }),
  }
  dryRun.route = route
  return route
}
