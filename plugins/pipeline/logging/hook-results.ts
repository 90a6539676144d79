import type {
  CheckReport,
  HookReport,
  HookResults,
  RecordedCheck,
  RecordedHook,
  RecordedHookResults,
} from '#core/guardrails'
import { defined } from '#kit'

/** What guardrails came to, by when they ran. */
export interface Reports {
  readonly before: readonly HookReport[]
  readonly after: readonly HookReport[]
}

/** What a record says of guardrails. Undefined: none has run. */
export const recordedHooks = (reports: Reports | undefined): RecordedHookResults | undefined =>
  reports === undefined || reports.before.length + reports.after.length === 0
    ? undefined
    : { before_request_hooks: reports.before.map(toRecorded), after_request_hooks: reports.after.map(toRecorded) }

/** All that guardrails said, for where the messages are kept. Undefined: the record says it all. */
export const wholeHooks = ({ before, after }: Reports): HookResults | undefined =>
  [...before, ...after].some(({ checks }) => checks.some(saysMore))
    ? { before_request_hooks: before, after_request_hooks: after }
    : undefined

const saysMore = ({ data, log, error }: CheckReport): boolean =>
  data !== undefined || log !== undefined || error !== undefined

const toRecorded = ({ checks, ...report }: HookReport): RecordedHook => ({
  ...report,
  checks: checks.map(toRecordedCheck),
})

/** Words of an error may be words of the call: of an answer that is no JSON, say. */
const toRecordedCheck = ({ data: _data, log: _log, error, ...check }: CheckReport): RecordedCheck => ({
  ...check,
  ...defined({ error: error && { name: error.name } }),
})
