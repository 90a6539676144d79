import { defined, isRecord, UpstreamError } from '#kit'
import { clip, type Failure, openaiFailure } from '#kit/provider'
import { type Fields, numberOf, textOf } from './json.ts'

/**
 * Google's error: `{error: {code, message, status, details}}` (reference "Package google.rpc", read 2026-11-21), in an array of one when a
 * stream was asked for. `status` becomes the type; the reason of the details, or else the number, the code.
 */
export const googleFailure = (status: number, body: unknown): Failure => {
  const error = errorOf(body)
  if (error === undefined) return openaiFailure(status, unwrap(body))
  const retryAfterMs = retryDelayMs(error)
  const code = detail(error, 'reason') ?? (numberOf(error.code) === undefined ? undefined : String(error.code))
  return defined({
    message: clip(textOf(error.message) ?? JSON.stringify(error), status),
    type: textOf(error.status) ?? null,
    param: violatedField(error) ?? null,
    code: code ?? null,
    retryAfterMs,
  })
}

/** The error that a 200 holds instead of an answer. @throws UpstreamError */
export const throwError = (body: unknown): void => {
  const error = errorOf(body)
  if (error === undefined) return
  const code = numberOf(error.code)
  const status = code !== undefined && code >= 400 && code <= 599 ? code : undefined
  const { message, type, param, code: wireCode, retryAfterMs } = googleFailure(status ?? 502, body)
  throw new UpstreamError(message, {
    provider: 'google',
    type: type ?? null,
    wireCode: wireCode ?? null,
    ...(param === undefined || param === null ? {} : { param }),
    ...defined({ status, retryAfterMs }),
  })
}

const unwrap = (body: unknown): unknown => (Array.isArray(body) && body.length === 1 ? body[0] : body)

const errorOf = (body: unknown): Fields | undefined => {
  const inner = unwrap(body)
  return isRecord(inner) && isRecord(inner.error) ? inner.error : undefined
}

const details = (error: Fields): readonly Fields[] =>
  Array.isArray(error.details) ? error.details.filter((entry: unknown) => isRecord(entry)) : []

const detail = (error: Fields, name: string): string | undefined =>
  details(error)
    .map((entry) => textOf(entry[name]))
    .find((value) => value !== undefined)

const violatedField = (error: Fields): string | undefined =>
  details(error)
    .flatMap((entry) => (Array.isArray(entry.fieldViolations) ? entry.fieldViolations : []))
    .map((violation: unknown) => (isRecord(violation) ? textOf(violation.field) : undefined))
    .find((field) => field !== undefined)

/** `RetryInfo`: seconds, such as `34s` or `0.5s`. */
const retryDelayMs = (error: Fields): number | undefined => {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(detail(error, 'retryDelay') ?? '')?.[1]
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000)
}
