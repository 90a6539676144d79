import { isSocket } from '#calls/pass-through/pass-through'
import {
  guardrailReports,
  limitAccount,
  providerMessages,
  responseRecords,
  serverSpan,
  toolCharges,
} from '#calls/slots'
import type { BudgetCharge } from '#core/budgets'
import { failedHooks } from '#core/guardrails'
import type { SpanHandle } from '#core/ports'
import type { CallRecord, RecordedMessage } from '#core/records'
import { type Call, defined, definePlugin, type Finish, type Stage, t } from '#kit'
import { principal, visits } from '#kit/slots'
import { attemptRecords } from './attempt-records.ts'
import { callLine } from './call-line.ts'
import { type CallFacts, callFacts, isOwned, openedCall } from './call-record.ts'
import { costOfCall } from './cost.ts'
import { LateReports } from './late-reports.ts'
import { LegacyUse } from './legacy-use.ts'
import { CallMessages } from './messages/call-messages.ts'
import type { KeptMessages } from './messages/recorded-messages.ts'
import { recordResponses } from './response-records.ts'
import { toUs, wordsOf } from './words.ts'

/**
 * The outermost stage: the records of every call that somebody owns, one NDJSON line and one server span for every call,
 * whatever became of it. Never a key, and no body but in the messages of a record, which are sealed.
 */
export default definePlugin({
  name: 'logging',
  config: t.Object({
    calls: t.Boolean({ default: true, description: 'Write one line of JSON to standard output for every call.' }),
  }),
  needs: ['bodyRules', 'callLog', 'clock', 'log', 'prices', 'randomId', 'records', 'tracing'],
  setup({ calls }, { bodyRules, clock, callLog, log, prices, randomId, records, tracing }) {
    const legacyUse = new LegacyUse()
    const late = new LateReports({
      onError: (thrown) => log.error('what happened to a call could not be kept', { error: String(thrown) }),
    })
    const logging: Stage = {
      name: 'logging',
      run(call, next) {
        const timeMs = clock.now()
        const span = tracing.start(() => {
          const traceparent = call.request.headers.get('traceparent')
          return {
            name: `${call.request.method} ${call.route}`,
            kind: 'server',
            attributes: {
              'http.request.method': call.request.method,
              'http.route': call.route,
              'url.path': call.request.path,
            },
            ...(traceparent === null ? {} : { traceparent }),
          }
        })
        if (span !== undefined) call.set(serverSpan, span)
        if (isSocket(call)) {
          call.set(
            responseRecords,
            recordResponses(call, { clock, prices, records, ...(calls ? { callLog } : undefined) }),
          )
        }
        const messages = new CallMessages(call, { bodyRules, records, log })
        call.set(providerMessages, messages)
        /** The attempt that asked a provider last. */
        let last: Call | undefined
        let held = NOTHING_HELD
        call.onAsked((attempt) => {
          const isFirst = last === undefined
          last = attempt
          const holds = attempt.find(limitAccount)?.held() ?? NOTHING_HELD
          if (!isFirst && areSame(holds, held)) return
          held = holds
          const opened = openedCall(attempt, timeMs, holds)
          if (opened !== undefined) records.open(opened)
        })
        call.onFinish((finish) => {
          const legacyCalls = call.deprecated === undefined ? undefined : legacyUse.count(call)
          // An attempt whose client leaves has not told the call yet what it did.
          const current = last === undefined || last.isAbandoned ? call : last
          const bought = costOfCall(call, current, finish, prices)
          // Before any other listener, which would give back what is held.
          const charges = call.find(toolCharges)?.(finish) ?? call.find(limitAccount)?.charge(bought.targets)
          const keep = (): void => {
            const kept = messages.end(finish, current)
            const hasBodies = kept !== undefined
            const facts = callFacts(call, finish, { current, bought, charges, prices, timeMs, hasBodies })
            if (span !== undefined) endSpan(span, finish, facts)
            if (isOwned(facts)) {
              const attempts = attemptRecords(call, finish, facts, { current, bought, idAt: randomId })
              const all = attempts.length === 0 ? [facts] : [facts, ...attempts]
              records.close(all, kept && messagesOf(call, kept, all))
            }
            if (calls) callLog(callLine(call, current, finish, facts, legacyCalls))
          }
          const pending = current.find(guardrailReports)?.pending
          if (pending === undefined) keep()
          else {
            const endedUs = timeMs * 1000 + toUs(finish.durations.totalMs)
            const endAnnounced = records.announce(
              call.find(principal)?.workspaceId ?? '',
              charges ?? NOTHING_HELD,
              endedUs,
            )
            late.keepAfter(pending, () => {
              endAnnounced()
              keep()
            })
          }
        })
        return messages.answered(next())
      },
    }
    return { stages: [logging], close: () => late.settle() }
  },
})

const NOTHING_HELD: readonly BudgetCharge[] = []

/** Whether budgets hold as much as before. */
const areSame = (some: readonly BudgetCharge[], others: readonly BudgetCharge[]): boolean =>
  some.length === others.length &&
  some.every((one, index) => {
    const other = others[index]
    return (
      one.amount === other?.amount &&
      one.budgetId === other.budgetId &&
      one.group === other.group &&
      one.startMs === other.startMs
    )
  })

/** The messages of each record. */
const messagesOf = (
  call: Call,
  { ofCall, ofTargets }: KeptMessages,
  [own, ...attempts]: readonly CallRecord[],
): ReadonlyMap<string, readonly RecordedMessage[]> => {
  const byRecord = new Map<string, readonly RecordedMessage[]>()
  if (own !== undefined) byRecord.set(own.id, ofCall)
  if (ofTargets.size === 0) return byRecord
  const visited = call.find(visits) ?? []
  for (const [index, { id }] of attempts.entries()) {
    const to = visited[index]?.to
    const messages = to && ofTargets.get(to)
    if (messages !== undefined) byRecord.set(id, messages)
  }
  return byRecord
}

const endSpan = (span: SpanHandle, { status, error }: Finish, { hookResults }: CallFacts): void => {
  const failed = failedHooks(hookResults)
  span.set({
    'http.response.status_code': status,
    ...defined({ 'weir.guardrail.failed': failed?.map(({ id }) => id) }),
  })
  // By the HTTP conventions an error of the client is no failure of the server.
  if (error !== undefined && status >= 500) span.fail(error.code, wordsOf(error))
  span.end()
}
