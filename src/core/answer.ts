/**
 * A stream of bytes that is pulled: nothing is read from the provider before the client takes what there is.
 * `read` gives `undefined` at a proper end and throws at an improper one. `cancel` may come at any time, also twice.
 */
export interface ByteStream {
  read(): Promise<Uint8Array | undefined>
  cancel(reason?: unknown): void
}

/** What a stage hands back to the stage around it. */
export interface Answer {
  status: number
  readonly headers: Headers
  body: Uint8Array | ByteStream
}

export const isByteStream = (body: Uint8Array | ByteStream): body is ByteStream => !(body instanceof Uint8Array)
