import { type CompiledGuardrail, compileGuardrail } from '../calls/guardrails/compile.ts'
import { BodyContent, type Content, TextContent } from '../calls/guardrails/content.ts'
import type { CheckContext } from '../calls/guardrails/run-check.ts'
import { runGuardrail } from '../calls/guardrails/run-guardrail.ts'
import { defined } from '../core/defined.ts'
import type { Endpoint } from '../core/endpoint.ts'
import type { CheckStage } from '../core/guardrails.ts'
import type { Clock } from '../core/ports.ts'
import type { FoundKey } from '../kit/plugin.ts'
import type { GuardrailDryRun, GuardrailDryRunCall, StageVerdict } from '../management/guardrails/deps.ts'
import { invalidField } from '../management/invalid-field.ts'
import type { Db } from '../store/types.ts'
import { withoutKey } from './dry-run.ts'
import type { Runtime } from './runtime.ts'

export interface GuardrailDryRunOptions {
  readonly runtime: Pick<Runtime, 'checks' | 'checkPowers' | 'routes'>
  readonly basePath: string
  readonly db: Db
  readonly clock: Clock
}

/** Tries guardrails out on texts and calls that nobody makes. */
export const createGuardrailDryRun = (options: GuardrailDryRunOptions): GuardrailDryRun => ({
  async dryRunGuardrail(call) {
    const { guardrail, subject } = call
    const compiled = compileGuardrail(guardrail.definition, guardrail, options.runtime.checks)
    const caller = await withoutKey(options.db, call)
    if (subject.kind === 'text') {
      const { stage, text } = subject
      const context = toContext(options, call, caller, stage, { texts: stage === 'input' ? [text] : [], json: {} })
      const { report, content, isChanged } = await run(compiled, new TextContent([text]), context)
      return { [stage]: { report, ...(isChanged ? { changed: content.texts[0] ?? '' } : {}) } }
    }
    const endpoint = endpointOf(options, subject.path)
    const { texts } = endpoint
    if (texts === undefined)
      throw invalidField('request.path', 'is the path of calls whose texts guardrails do not look at')
    const asked = new BodyContent(subject.body, texts.asked)
    const request = { texts: asked.texts, json: asked.json }
    const judge = async (stage: CheckStage, content: Content): Promise<StageVerdict> => {
      const after = await run(compiled, content, toContext(options, call, caller, stage, request, endpoint))
      return { report: after.report, ...(after.isChanged ? { changed: after.content.json } : {}) }
    }
    const input = await judge('input', asked)
    if (subject.response === undefined) return { input }
    if (texts.answered === undefined) throw invalidField('response', 'has no texts: answers of this path are none')
    return { input, output: await judge('output', new BodyContent(subject.response, texts.answered)) }
  },
})

const run = async (guardrail: CompiledGuardrail, content: Content, context: CheckContext) => {
  const outcome = await runGuardrail(guardrail, content, context)
  return { ...outcome, isChanged: outcome.content !== content }
}

const toContext = (
  { runtime, clock }: GuardrailDryRunOptions,
  { subject, signal }: GuardrailDryRunCall,
  { principal, limits, budgets }: FoundKey,
  stage: CheckStage,
  request: CheckContext['call']['request'],
  endpoint?: Endpoint,
): CheckContext => {
  const said = subject.kind === 'call' ? subject : NOTHING_SAID
  const { model } = request.json
  return {
    stage,
    hasTexts: true,
    call: {
      request,
      ...{ metadata: said.metadata, headers: said.headers, provider: said.provider },
      status: stage === 'output' ? 200 : undefined,
      requestType: endpoint?.requestTypes[0] ?? 'chatComplete',
      model: typeof model === 'string' ? model : undefined,
      isStreamed: request.json.stream === true,
      traceId: undefined,
    },
    caller: { principal, traceId: undefined, metadata: said.metadata, ...defined({ limits, budgets }) },
    powers: runtime.checkPowers,
    signal: () => signal,
    now: () => clock.monotonicMs(),
    wallClock: () => clock.now(),
  }
}

const NOTHING_SAID = { metadata: {}, headers: new Headers(), provider: '' }

/** @throws ManagementInvalid */
const endpointOf = ({ runtime, basePath }: GuardrailDryRunOptions, path: string): Endpoint => {
  const parts = `${basePath}${path}`.split('/')
  const fits = (pattern: string): boolean => {
    const wanted = pattern.split('/')
    return wanted.length === parts.length && wanted.every((part, index) => part[0] === ':' || part === parts[index])
  }
  const route = runtime.routes.find(({ method, path: pattern }) => method === 'POST' && fits(pattern))
  if (route === undefined) throw invalidField('request.path', 'is not the path of a call that is served')
  return route.endpoint
}
