import { guardrailReports, limitAccount, promptCall } from '#calls/slots'
import type { BudgetCharge } from '#core/budgets'
import type { StoredPrompt } from '#core/ports'
import type { Prices } from '#core/prices'
import type { CallRecord, OpenedCall } from '#core/records'
import { type Call, type Finish, isStreamed } from '#kit'
import {
  type CallConfig,
  cacheUse,
  callConfig,
  principal,
  providerRequest,
  report,
  type Target,
  target,
  trace,
  visits,
} from '#kit/slots'
import { clientOf } from './client.ts'
import { type CallCost, savedBy } from './cost.ts'
import { recordedHooks } from './hook-results.ts'
import { tokensOf } from './tokens.ts'
import { bareUrl, clipped, toUs, wordsOf } from './words.ts'

/** What was recorded of a call whose caller may not be known: it is kept only when somebody owns it. */
export interface CallFacts extends Omit<CallRecord, 'organisationId' | 'workspaceId' | 'traceId'> {
  readonly organisationId: string | undefined
  readonly workspaceId: string | undefined
  readonly traceId: string | undefined
}

export interface RecordOptions {
  /** The attempt that runs, or ran last, where it was not abandoned; else the call itself. */
  readonly current: Call
  readonly bought: CallCost
  /** What it added to budgets. */
  readonly charges: readonly BudgetCharge[] | undefined
  readonly prices: Prices
  /** Milliseconds since 1970 when the call came. */
  readonly timeMs: number
  /** Its messages are kept. */
  readonly hasBodies: boolean
}

/** Whether somebody owns a record. */
export const isOwned = (facts: CallFacts): facts is CallFacts & CallRecord =>
  facts.organisationId !== undefined && facts.workspaceId !== undefined && facts.traceId !== undefined

const NO_METADATA: Readonly<Record<string, string>> = {}

/** The record of a call that is over. */
export const callFacts = (call: Call, finish: Finish, options: RecordOptions): CallFacts => {
  const { status, outcome, error, durations, asked } = finish
  const caller = call.find(principal)
  const ids = call.find(trace)
  const config = call.find(callConfig)
  const { current, charges } = options
  const sent = current.find(report)
  const to = current.find(target)
  const prompt = promptOf(current)
  const cached = current.find(cacheUse)
  const visited = call.find(visits)
  const url = asked === 0 ? undefined : current.find(providerRequest)?.url
  const { cost, unpriced, priceId } = options.bought.whole
  const { sdk, runtime } = clientOf(call)
  const body = call.request.body
  const metadata = config?.metadata ?? NO_METADATA
  const shadows = call.find(limitAccount)?.shadowRefusals
  return {
    id: call.id,
    callId: call.id,
    kind: 'call',
    attempt: 0,
    time: options.timeMs * 1000,
    organisationId: caller?.organisationId,
    workspaceId: caller?.workspaceId,
    apiKeyId: caller?.keyId,
    userId: metadata._user,
    traceId: ids?.traceId,
    spanId: ids?.spanId,
    parentSpanId: ids?.parentSpanId,
    spanName: ids?.spanName,
    method: call.request.method,
    path: clipped(call.request.path),
    sentUrl: url === undefined ? undefined : bareUrl(url),
    endpoint: call.endpoint.id,
    requestType: config === undefined ? call.endpoint.requestTypes[0] : call.endpoint.requestTypeOf(call),
    isPassThrough: call.endpoint.form === undefined ? true : undefined,
    stream: sent?.stream ?? (config !== undefined && isStreamed(call)),
    provider: sent?.provider ?? to?.provider.id,
    storedProvider: to?.storedProvider,
    modelAsked: modelAskedBy(call, config),
    model: modelOf(sent?.answered?.model ?? sent?.model, to),
    configId: config?.id,
    configSlug: config?.slug,
    configVersionId: config?.versionId,
    mode: config === undefined ? undefined : modeOf(config),
    optionPath: to?.path,
    promptId: prompt?.id,
    promptSlug: prompt?.slug,
    promptVersionId: prompt?.versionId,
    status,
    outcome,
    success: outcome === 'completed' && status < 400,
    errorCode: error?.code,
    errorMessage: error && clipped(wordsOf(error)),
    attempts: asked,
    retries: visited === undefined ? 0 : visited.reduce((sum, { retries }) => sum + retries, 0),
    fallback: visited !== undefined && visited.length > 1,
    cacheStatus: cached?.status === 'DISABLED' ? undefined : cached?.status,
    savedTokens: cached?.tokensSaved,
    savedCost: cached?.saved === undefined ? undefined : savedBy(current, cached.saved, options.prices),
    ...tokensOf(finish.usage, asked === 0 ? undefined : sent?.bought),
    cost,
    unpriced,
    priceId,
    charges: charges === undefined || charges.length === 0 ? undefined : charges,
    totalUs: toUs(durations.totalMs),
    firstByteUs: us(durations.firstByteMs),
    parsingUs: toUs(durations.parsingMs),
    beforeUs: toUs(durations.beforeMs),
    cacheUs: durations.cacheMs === 0 ? undefined : toUs(durations.cacheMs),
    upstreamUs: us(durations.upstreamMs),
    afterUs: us(durations.afterMs),
    refusedBy: error?.options.refusedBy,
    shadowRefusals: shadows === undefined || shadows.length === 0 ? undefined : shadows,
    droppedParams: sent === undefined || sent.droppedParams.length === 0 ? undefined : sent.droppedParams,
    metadata,
    bytesIn: body.length,
    bytesOut: finish.bytesOut,
    sdk,
    runtime,
    hasBodies: options.hasBodies ? true : undefined,
    hookResults: recordedHooks(current.find(guardrailReports)),
  }
}

/** The prompt that a call has run, also one of its target. */
export const promptOf = (call: Call): StoredPrompt | undefined =>
  (call.find(target)?.prompt ?? call.find(promptCall)?.rendered)?.prompt

/**
 * A call that a provider is about to be asked for.
 * @param attempt that asks it
 * @param held by budgets
 */
export const openedCall = (attempt: Call, timeMs: number, held: readonly BudgetCharge[]): OpenedCall | undefined => {
  const caller = attempt.find(principal)
  const ids = attempt.find(trace)
  if (caller?.workspaceId === undefined || ids === undefined) return undefined
  const config = attempt.find(callConfig)
  const sent = attempt.find(report)
  const to = attempt.find(target)
  return {
    id: attempt.id,
    time: timeMs * 1000,
    organisationId: caller.organisationId,
    workspaceId: caller.workspaceId,
    apiKeyId: caller.keyId,
    traceId: ids.traceId,
    method: attempt.request.method,
    path: clipped(attempt.request.path),
    endpoint: attempt.endpoint.id,
    requestType: attempt.endpoint.requestTypeOf(attempt),
    stream: sent?.stream ?? isStreamed(attempt),
    provider: sent?.provider ?? to?.provider.id,
    model: modelOf(sent?.model, to),
    metadata: config?.metadata ?? NO_METADATA,
    held: held.length === 0 ? undefined : held,
  }
}

const modelAskedBy = (call: Call, config: CallConfig | undefined): string | undefined => {
  if (config === undefined) return undefined
  const model = call.params.model ?? config.model
  return typeof model === 'string' ? clipped(model) : undefined
}

export const modelOf = (named: string | undefined, to: Target | undefined): string | undefined => {
  const model = named === undefined || named === '' ? to?.model : named
  return model === undefined || model === '' ? undefined : clipped(model)
}

const modeOf = ({ plan: { root } }: CallConfig): string => (root.kind === 'leaf' ? 'single' : root.mode)

const us = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : toUs(ms))
