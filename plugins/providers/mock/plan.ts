/**
 * What happens after the last piece: a proper end; silence; the mock's half of the connection closed; all of it closed;
 * or a TCP reset.
 */
export type Ending = 'end' | 'hang' | 'half-close' | 'close' | 'reset'

export type Piece = string | Uint8Array

/** An answer as data: what goes over the wire, how fast, and how it ends. */
export interface Plan {
  /** Absent: the pieces are all that is written, raw, the HTTP head included. */
  readonly head?: { readonly status: number; readonly headers: Readonly<Record<string, string>> }
  readonly pieces: Iterable<Piece> | AsyncIterable<Piece>
  readonly ending: Ending
  /** Before the first byte. Default 0. */
  readonly latencyMs?: number
  /** Between two writes. Default 0. */
  readonly intervalMs?: number
  /** Largest write. Default: each piece at once. */
  readonly chunkBytes?: number
}

/** A plan whose head and pieces are at hand: what the faults of transport work on. */
export interface WholePlan extends Plan {
  readonly head: NonNullable<Plan['head']>
  readonly pieces: Iterable<Piece>
}

/** A JSON answer with its length declared. */
export const jsonPlan = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): WholePlan =>
  textPlan(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })

export const textPlan = (status: number, text: string, headers: Readonly<Record<string, string>>): WholePlan => {
  const bytes = Buffer.from(text)
  return {
    head: { status, headers: { ...headers, 'content-length': String(bytes.length) } },
    pieces: bytes.length === 0 ? [] : [bytes],
    ending: 'end',
  }
}

/** A stream of server-sent events, each given as its whole text. */
export const ssePlan = (events: Iterable<string>): WholePlan => ({
  head: { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' } },
  pieces: events,
  ending: 'end',
})

/** The error body of the reference. */
export const errorBody = (message: string, type: string, code: string | null = null, param: string | null = null) => ({
  error: { message, type, param, code },
})
