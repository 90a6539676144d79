import { isDeeperThan } from '../../core/json/json-depth.ts'
import { isRecord } from '../../core/json/record.ts'
import type { Failure } from './provider.ts'

/** Longest message of a provider that is passed on: some answer with a whole HTML page. */
const MAX_MESSAGE_CHARACTERS = 2000

/**
 * Reads `{error: {message, type, param, code}}`, `{error: "text"}`, `{message}`, `{detail}`, `{detail: {error}}` or plain text:
 * the forms of OpenAI and of the hosts that copy it. A list of violations (`{detail: [{loc, msg}]}`, as FastAPI writes it and Mistral
 * sends it, also inside `message`) becomes one sentence a violation, and the first place named becomes `param`. An
 * envelope in an array of one is read too. Never throws.
 */
export const openaiFailure = (status: number, body: unknown): Failure => {
  const envelope = Array.isArray(body) ? body[0] : body
  if (!isRecord(envelope)) return { message: clip(typeof envelope === 'string' ? envelope : '', status) }
  const error = isRecord(envelope.error) ? envelope.error : envelope
  const violations =
    violationsOf(error.detail) ?? violationsOf(isRecord(error.message) ? error.message.detail : undefined)
  const message =
    textOf(envelope.error) ??
    textOf(error.message) ??
    violations?.message ??
    textOf(error.detail) ??
    (isRecord(error.detail) ? (textOf(error.detail.error) ?? textOf(error.detail.message)) : undefined) ??
    jsonOf(error)
  return {
    message: clip(message, status),
    type: textOf(error.type) ?? null,
    param: textOf(error.param) ?? violations?.param ?? null,
    code: textOf(error.code) ?? null,
  }
}

/** A message fit to pass on: never empty, never a page. */
export const clip = (message: string, status: number): string => {
  const text = message.trim()
  if (text === '') return `The provider answered with status ${status} and no message.`
  return text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS)}…` : text
}

/** `[{loc: ['body', 'seed'], msg: '…'}]` as text, and the first place without the leading `body`. */
const violationsOf = (detail: unknown): { readonly message: string; readonly param: string | null } | undefined => {
  if (!Array.isArray(detail)) return undefined
  const violations = detail.filter(isRecord).map(({ loc, msg }) => {
    const names = Array.isArray(loc) ? loc.map(textOf).filter((name) => name !== undefined) : []
    return { place: names.slice(names[0] === 'body' ? 1 : 0).join('.'), message: textOf(msg) }
  })
  const sentences = violations.flatMap(({ place, message }) =>
    message === undefined ? [] : [place === '' ? message : `${place}: ${message}`],
  )
  if (sentences.length === 0) return undefined
  return { message: sentences.join('; '), param: violations[0]?.place || null }
}

/** More levels than any error has. */
const MAX_DEPTH = 100

/** Text of an error without a message; nothing for one that is nested without end. */
const jsonOf = (value: unknown): string => (isDeeperThan(value, MAX_DEPTH) ? '' : JSON.stringify(value))

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
