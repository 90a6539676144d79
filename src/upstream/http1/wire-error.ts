/** Why an exchange with a server failed, below HTTP's own answers. */
export class WireError extends Error {
  /** Code of the system or of TLS as it is, otherwise one of ours: short, stable, and free of anything the server sent. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'WireError'
    this.code = code
  }
}

/** The answer is not HTTP/1.1 as this client reads it: its connection cannot be trusted to be in step any more. */
export const malformed = (what: string): WireError => new WireError('MALFORMED_ANSWER', `Malformed answer: ${what}.`)

export const UNDECODABLE = 'UNDECODABLE_BODY'

/** The body is not in the coding that its header names, is cut short, or goes on behind its end. */
export const undecodable = (cause: unknown): WireError =>
  new WireError(UNDECODABLE, 'The body cannot be decompressed.', { cause })

/** The connection ended before the answer did. */
export const cutOff = (cause?: unknown): WireError =>
  new WireError('ECONNRESET', 'The connection ended before the answer was complete.', { cause })

/** Whoever asked has given up. */
export const abandoned = (): WireError => new WireError('ABANDONED', 'The call was given up.')

/** The code of an error of any kind; empty when it has none. */
export const codeOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : ''
