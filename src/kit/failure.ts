import type { Failure } from './provider.ts'

/** Longest message of a provider that is passed on: some answer with a whole HTML page. */
const MAX_MESSAGE_CHARACTERS = 2000

/**
 * Reads `{error: {message, type, param, code}}`, `{error: "text"}`, `{message}`, `{detail}` or plain text: the forms of
 * OpenAI and of the hosts that copy it.
 */
export const openaiFailure = (status: number, body: unknown): Failure => {
  if (!isRecord(body)) return { message: clip(typeof body === 'string' ? body : '', status) }
  const error = body.error
  if (isRecord(error)) {
    return {
      message: clip(textOf(error.message) ?? JSON.stringify(error), status),
      type: textOf(error.type) ?? null,
      param: textOf(error.param) ?? null,
      code: textOf(error.code) ?? null,
    }
  }
  const message = textOf(error) ?? textOf(body.message) ?? textOf(body.detail) ?? JSON.stringify(body)
  return { message: clip(message, status), type: textOf(body.type) ?? null, code: textOf(body.code) ?? null }
}

/** A message fit to pass on: never empty, never a page. */
export const clip = (message: string, status: number): string => {
  const text = message.trim()
  if (text === '') return `The provider answered with status ${status} and no message.`
  return text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS)}…` : text
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
