import { isRecord } from '#kit'
import { asError } from './stream/stream-data.ts'

/**
 * An error inside a 200 may carry its status as `error.status`, `error.status_code`, `error.code` or beside it, as
 * `status_code`; else it is a 502.
 */
export const statusOf = (body: unknown): number => {
  const error = asError(body)
  if (!isRecord(error)) return 502
  const beside = isRecord(body) ? body.status_code : undefined
  const status = [error.status, error.status_code, error.code, beside]
    .map(Number)
    .find((value) => value >= 400 && value <= 599)
  return status ?? 502
}
