import { guardrailReports } from '#calls/slots'
import type { Abandoned } from '#core/call'
import { GatewayError } from '#kit'
import { providerRequest, report, type Target, type TargetVisit } from '#kit/slots'
import type { Tried } from './attempt.ts'

/** A visit that has just begun. @param timeMs milliseconds since 1970 */
export const beginVisit = (path: string, to: Target, timeMs: number): TargetVisit => ({
  path,
  to,
  timeMs,
  asked: 0,
  retries: 0,
  isOver: false,
})

/** One try of a visit was abandoned: takes down what is known of it before its slots are forgotten. */
export const noteTry = (
  visit: TargetVisit,
  { fork, thrown, judgement }: Pick<Tried, 'fork' | 'thrown' | 'judgement'>,
  left: Abandoned,
): void => {
  visit.status = judgement.status
  visit.error = thrown instanceof GatewayError ? thrown : undefined
  visit.guardrails = fork.find(guardrailReports)
  visit.report = fork.find(report) ?? visit.report
  visit.url = fork.find(providerRequest)?.url ?? visit.url
  visit.totalMs = (visit.totalMs ?? 0) + left.totalMs
  if (left.upstreamMs !== undefined) visit.upstreamMs = (visit.upstreamMs ?? 0) + left.upstreamMs
  if (left.usage !== undefined) visit.used = [...(visit.used ?? []), { usage: left.usage, report: visit.report }]
}
