import type { Answer } from '../core/bodies/answer.ts'
import { fromPieces, fromReader, nextPiece, type ReadyStream } from '../core/bodies/ready-stream.ts'
import type { Call } from '../core/call.ts'
import type { FormFile } from '../core/forms/form-file.ts'
import { assembled } from '../core/forms/segments.ts'
import { HeaderList } from '../core/header-fields.ts'
import type { BodyStream } from '../core/ports.ts'
import { InvalidRequest } from '../errors/gateway-error.ts'
import { gatewayHeaders, principal } from '../kit/slots.ts'

/** Whether a call says by itself where it goes. One that does not is about what Weir keeps. */
export const namesProvider = (call: Call): boolean => {
  const headers = call.get(gatewayHeaders)
  return ['provider', 'config', 'virtual-key'].some((name) => headers.get(name) !== undefined)
}

/** The workspace that a call is of: `auth` lets no other one through. */
export const workspaceOf = (call: Call): string => {
  const { workspaceId } = call.get(principal)
  if (workspaceId === undefined) throw new Error('a call of no workspace came through')
  return workspaceId
}

const encoder = new TextEncoder()

export const jsonAnswer = (body: object): Answer => {
  const headers = new HeaderList()
  headers.set('content-type', 'application/json')
  return { status: 200, headers, body: encoder.encode(JSON.stringify(body)) }
}

/** A stream whose first piece is there: what cannot be read at all fails before the answer has begun. */
export const begun = async (stream: ReadyStream): Promise<ReadyStream> => {
  const first = await nextPiece(stream)
  let isFirst = true
  const read = async (): Promise<Uint8Array | undefined> => {
    if (!isFirst) return nextPiece(stream)
    isFirst = false
    return first
  }
  return first === undefined ? fromPieces([]) : fromReader({ read, cancel: () => stream.cancel() })
}

/** Content of a file of the form that a call came with. */
export const contentOf = ({ request: { body } }: Call, file: FormFile): BodyStream => {
  if (body.kind !== 'form') throw new Error('a call without a form has no files')
  const content = assembled([{ from: file.start, to: file.end }], body)
  return content instanceof Uint8Array ? { stream: fromPieces([content]), length: content.length } : content
}

/**
 * `limit` of a list.
 * @throws InvalidRequest naming it
 */
export const limitOf = (query: URLSearchParams, standard: number, most: number): number => {
  const text = query.get('limit')
  if (text === null || text === '') return standard
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= most) return limit
  throw new InvalidRequest(`\`limit\` must be a whole number from 1 to ${most}.`, { param: 'limit' })
}
