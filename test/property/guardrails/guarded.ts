import { guardStream, type StreamGuardOptions } from '../../../plugins/pipeline/guardrails/stream/guard-stream.ts'
import { planOf } from '../../../plugins/pipeline/guardrails/stream/plan.ts'
import { type CompiledGuardrail, compileGuardrail } from '../../../src/calls/guardrails/compile.ts'
import type { CheckContext } from '../../../src/calls/guardrails/run-check.ts'
import type { GuardrailDefinition, HookReport } from '../../../src/core/guardrails.ts'
import type { Check } from '../../../src/kit/check.ts'
import { chatStream, type Outcome, readAll, type Source } from './streams.ts'

type Fields = Readonly<Record<string, unknown>>

const noPower = (): never => {
  throw new Error('these checks need no power')
}

/** What checks are told here: nothing of a call but its texts. */
export const CONTEXT: CheckContext = {
  stage: 'output',
  hasTexts: true,
  call: {
    request: { texts: [], json: {} },
    status: 200,
    metadata: {},
    headers: new Headers(),
    requestType: 'chatComplete',
    provider: 'mock',
    model: 'mock',
    isStreamed: true,
    traceId: undefined,
  },
  caller: {
    principal: {
      keyId: 'key-1',
      keyName: 'key',
      kind: 'workspace-service',
      organisationId: 'organisation-1',
      workspaceId: 'workspace-1',
      scopes: new Set(),
    },
    traceId: undefined,
  },
  powers: {
    grant: (_needs, _caller, signal) => ({
      signal,
      fetch: noPower,
      resolves: noPower,
      credentials: noPower,
      ask: noPower,
    }),
  },
  signal: () => new AbortController().signal,
  now: () => performance.now(),
  wallClock: () => Date.now(),
}

/** A guardrail with one check. */
export const guardrailOf = (
  check: Check,
  parameters: Fields,
  more: Partial<GuardrailDefinition> = {},
): CompiledGuardrail =>
  compileGuardrail(
    {
      type: 'guardrail',
      deny: true,
      async: false,
      sequential: false,
      soft_deny_200: false,
      stream_mode: 'window',
      stream_window: 40,
      checks: [{ id: check.id, parameters, is_enabled: true }],
      ...more,
    },
    { id: 'guardrail-1' },
    { get: () => check, list: () => [check] },
  )

export interface GuardedOutcome extends Outcome {
  readonly reports: readonly HookReport[]
  readonly deniedBy: string | undefined
}

/** What guardrails let out of a stream. */
export const guard = async (
  source: Source,
  guardrails: readonly CompiledGuardrail[],
  choices: number,
  more: Partial<StreamGuardOptions> = {},
): Promise<GuardedOutcome> => {
  const plan = planOf([guardrails])
  if (plan === undefined) throw new Error('no check looks at answers')
  const reports: HookReport[] = []
  const { body, deniedBy } = await guardStream(source, {
    plan,
    texts: chatStream(),
    context: CONTEXT,
    maxBytes: 1 << 20,
    report: (done) => reports.push(...done),
    refusal: ({ id }) => new Error(`refused by ${id}`),
    endOfRefused: () => undefined,
    last: () => '',
    isCarriedOn: () => false,
    onGivenUp: () => undefined,
    ...more,
  })
  return { ...(await readAll(body, choices)), reports, deniedBy: deniedBy?.id }
}
