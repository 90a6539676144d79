import type { Call } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { HookReport } from '../../core/guardrails.ts'
import type { Host } from '../../kit/plugin.ts'
import { principal, trace } from '../../kit/slots.ts'
import type { GuardrailReports } from '../slots.ts'

type RecordsHost = Pick<Host, 'clock' | 'randomId' | 'records'>

/** Takes down what guardrails came to, and writes the feedback that they ask for. */
export class Reporter {
  readonly #host: RecordsHost

  constructor(host: RecordsHost) {
    this.#host = host
  }

  /** @param later those that only report, still at work */
  add(
    call: Call,
    reports: GuardrailReports,
    side: 'before' | 'after',
    done: readonly HookReport[],
    later: readonly Promise<HookReport>[],
  ): void {
    this.#append(call, reports, side, done)
    if (later.length === 0) return
    const settled = later.map((each) => each.then((report) => this.#append(call, reports, side, [report])))
    reports.pending = Promise.all([reports.pending, ...settled])
  }

  #append(call: Call, reports: GuardrailReports, side: 'before' | 'after', added: readonly HookReport[]): void {
    if (added.length === 0) return
    reports[side] = [...reports[side], ...added]
    const { organisationId, workspaceId, keyId, isForeign } = call.get(principal)
    const { traceId } = call.get(trace)
    if (workspaceId === undefined) return
    const rows = added.flatMap(({ feedback }) => {
      if (feedback === null) return []
      const nowMs = this.#host.clock.now()
      return {
        id: this.#host.randomId(nowMs),
        time: nowMs * 1000,
        organisationId,
        workspaceId,
        traceId,
        ...feedback,
        ...defined({ apiKeyId: isForeign === true ? undefined : keyId }),
      }
    })
    if (rows.length > 0) this.#host.records.feedback(rows)
  }
}
