import type { CallRecord } from '#core/records'
import { addUsage } from '#core/usage'
import type { Call, Finish, Usage } from '#kit'
import { report, type TargetVisit, visits } from '#kit/slots'
import { modelOf } from './call-record.ts'
import { askedOf, type CallCost } from './cost.ts'
import { recordedHooks } from './hook-results.ts'
import { tokensOf } from './tokens.ts'
import { bareUrl, clipped, toUs, wordsOf } from './words.ts'

export interface AttemptOptions {
  /** The attempt that runs, or ran last, where it was not abandoned; else the call itself. */
  readonly current: Call
  readonly bought: CallCost
  /** A UUIDv7 of that time, in milliseconds since 1970. */
  readonly idAt: (timeMs: number) => string
}

/**
 * A record for each target of a call that went to more than one: what it was asked, retries included, and what came of it.
 * @param whole the record of the call itself
 * @returns nothing for the many calls that went to one
 */
export const attemptRecords = (
  call: Call,
  finish: Finish,
  whole: CallRecord,
  { current, bought, idAt }: AttemptOptions,
): readonly CallRecord[] => {
  const visited = call.find(visits)
  if (visited === undefined || visited.length < 2) return NONE
  return visited.map((visit, index) => ({
    ...whole,
    ...NOT_OF_ATTEMPTS,
    id: idAt(Math.floor(visit.timeMs)),
    kind: 'attempt',
    attempt: index + 1,
    time: toUs(visit.timeMs),
    storedProvider: visit.to.storedProvider,
    optionPath: visit.path,
    attempts: askedOf(visit, visited, finish),
    retries: visit.retries,
    fallback: index > 0,
    ...(visit.isOver ? ofLeft(visit) : ofLast(call, current, visit, finish, whole)),
    ...bought.targets[index]?.shown,
  }))
}

const NONE: readonly CallRecord[] = []

/** What is known of the call as a whole alone. */
const NOT_OF_ATTEMPTS = {
  charges: undefined,
  cost: undefined,
  unpriced: undefined,
  priceId: undefined,
  parsingUs: undefined,
  beforeUs: undefined,
  bytesIn: undefined,
  bytesOut: undefined,
} satisfies Partial<CallRecord>

/** A target that was left for another, or the last one, which failed. */
const ofLeft = (visit: TargetVisit): Partial<CallRecord> => {
  const { to, report: said, error, status = 0, url, isPart } = visit
  return {
    provider: said?.provider ?? to.provider.id,
    model: modelOf(said?.answered?.model ?? said?.model, to),
    stream: said?.stream ?? false,
    sentUrl: url === undefined || visit.asked === 0 ? undefined : bareUrl(url),
    status,
    outcome: isPart === true ? 'truncated' : error?.code === 'client_closed' ? error.code : 'failed',
    success: false,
    errorCode: error?.code,
    errorMessage: error && clipped(wordsOf(error)),
    refusedBy: error?.options.refusedBy,
    droppedParams: said === undefined || said.droppedParams.length === 0 ? undefined : said.droppedParams,
    cacheStatus: undefined,
    cacheUs: undefined,
    savedCost: undefined,
    savedTokens: undefined,
    ...tokensOf(usageOf(visit), undefined),
    hookResults: recordedHooks(visit.guardrails),
    totalUs: toUs(visit.totalMs ?? 0),
    firstByteUs: undefined,
    upstreamUs: visit.upstreamMs === undefined ? undefined : toUs(visit.upstreamMs),
    afterUs: undefined,
  }
}

/** The target whose answer was used: the record of the call, without what others did. */
const ofLast = (
  call: Call,
  current: Call,
  visit: TargetVisit,
  { lastUsage }: Finish,
  { time, totalUs, firstByteUs, upstreamUs }: CallRecord,
): Partial<CallRecord> => {
  const laterUs = Math.max(0, toUs(visit.timeMs) - time)
  let othersMs = 0
  for (const { isOver, upstreamMs } of call.find(visits) ?? []) if (isOver) othersMs += upstreamMs ?? 0
  return {
    ...tokensOf(addUsage(usageOf(visit), lastUsage), current.find(report)?.bought),
    totalUs: Math.max(0, totalUs - laterUs),
    firstByteUs: firstByteUs === undefined ? undefined : Math.max(0, firstByteUs - laterUs),
    upstreamUs: upstreamUs === undefined ? undefined : Math.max(0, upstreamUs - toUs(othersMs)),
  }
}

/** What its abandoned tries have used. */
const usageOf = ({ used = [] }: TargetVisit): Usage | undefined =>
  used.reduce<Usage | undefined>((sum, { usage }) => addUsage(sum, usage), undefined)
