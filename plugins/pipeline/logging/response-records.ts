import { limitAccount, type ResponseRecords } from '#calls/slots'
import type { CallLog } from '#core/ports'
import type { Prices } from '#core/prices'
import type { CallRecorder } from '#core/records'
import type { Call, Clock } from '#kit'
import { callLine } from './call-line.ts'
import { callFacts, isOwned, openedCall } from './call-record.ts'
import { costOfPart } from './cost.ts'

export interface ResponseRecordsOptions {
  readonly clock: Clock
  readonly prices: Prices
  readonly records: CallRecorder
  /** Absent: no lines are written. */
  readonly callLog?: CallLog
}

/**
 * A record of its own for each response of a session, with its tokens and its cost, as soon as it is over: what was spent survives a
 * crash in the middle of a long session. The record of the session itself has none of that.
 */
export const recordResponses =
  (session: Call, { clock, prices, records, callLog }: ResponseRecordsOptions): ResponseRecords =>
  (response, number) => {
    const timeMs = clock.now()
    response.onAsked(() => {
      const opened = openedCall(response, timeMs, response.find(limitAccount)?.held() ?? [])
      if (opened !== undefined) records.open(opened)
    })
    response.onFinish((finish) => {
      const bought = costOfPart(response, finish, prices)
      // Before any other listener, which would give back what is held.
      const charges = response.find(limitAccount)?.charge(bought.targets)
      const ofCall = callFacts(response, finish, {
        ...{ current: response, bought, charges, prices, timeMs },
        hasBodies: false,
      })
      const facts = { ...ofCall, callId: session.id, kind: 'realtime' as const, attempt: number }
      if (isOwned(facts)) records.close([facts])
      callLog?.(callLine(response, response, finish, facts, undefined))
    })
  }
