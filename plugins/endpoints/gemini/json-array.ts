import { decodeFrame, type Endpoint, type PipeMachine, type PipeOut, parseJson, SseFramer } from '#kit'
import { generateContent } from './endpoints.ts'
import { googleErrors } from './errors.ts'

const encoder = new TextEncoder()
const BEGIN = encoder.encode('[')
const NEXT = encoder.encode(',\r\n')
const END = encoder.encode(']')
const EMPTY = encoder.encode('[]')

/** What may stand between the values of an array: keeps a connection awake. */
export const BLANK: Uint8Array = encoder.encode('\n')

/**
 * Events as the elements of one JSON array: how `streamGenerateContent` answers without `alt=sse` (its reference shows a response body
 * of "a stream of GenerateContentResponse instances", and clients that read it as an array are public; read 2026-11-22).
 */
export class JsonArray implements PipeMachine {
  readonly #framer = new SseFramer()
  #hasBegun = false

  push(piece: Uint8Array, out: PipeOut): void {
    for (const frame of this.#framer.push(piece)) this.#add(frame, out)
  }

  end(out: PipeOut): void {
    this.#add(this.#framer.rest(), out)
    out.write(this.#hasBegun ? END : EMPTY)
  }

  /** What failed becomes the last element: `errors` of the endpoint writes it. */
  fail(thrown: unknown, out: PipeOut): void {
    out.write(this.#hasBegun ? NEXT : BEGIN)
    throw thrown
  }

  #add(frame: Uint8Array, out: PipeOut): void {
    const data = decodeFrame(frame)?.data.trim() ?? ''
    if (data === '') return
    out.write(this.#hasBegun ? NEXT : BEGIN)
    this.#hasBegun = true
    // One that is cut is no element.
    out.write(encoder.encode(JSON.stringify(parseJson(data))))
  }
}

/** The endpoint of calls that are answered so: an error in the stream is the last element. */
export const generateContentAsArray: Endpoint = {
  ...generateContent,
  errors: {
    body: googleErrors.body,
    event: (error, requestId) => `${JSON.stringify(googleErrors.body(error, requestId))}]`,
  },
}
