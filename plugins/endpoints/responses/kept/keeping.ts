import { textIn } from '#core/bodies/bytes'
import {
  type Answer,
  type Call,
  decodeFrame,
  type Host,
  isReadyStream,
  isRecord,
  Pipe,
  type PipeMachine,
  type PipeOut,
  parseJson,
  SseFramer,
} from '#kit'
import { readOwnResponseId } from '#kit/provider'
import { principal } from '#kit/slots'
import { keptItems } from './items.ts'

type Fields = Readonly<Record<string, unknown>>

export type KeptResponses = Host['keptResponses']

export interface Keeping {
  readonly responses: KeptResponses
  readonly forMs: number
}

/** What a call asked, as it is kept with the answer. */
export interface Asked {
  readonly input: unknown
  readonly previousId: string | undefined
  /** Its size in bytes. */
  readonly bytes: number
}

/** Statuses of an answer: the second says that a guardrail failed which does not deny. */
const GIVEN: ReadonlySet<number> = new Set([200, 246])

/** @param read the response, later */
type Keep = (id: string, bytes: number, read: () => unknown) => void

/** Keeps the response in an answer that Weir made itself. The answer goes on as it is, and nothing waits. */
export const keepAnswer = (call: Call, answer: Answer, asked: Asked, { responses, forMs }: Keeping): void => {
  const { organisationId, workspaceId } = call.get(principal)
  if (workspaceId === undefined || !GIVEN.has(answer.status)) return
  const keep: Keep = (id, bytes, read) => {
    responses.keep({
      id,
      organisationId,
      workspaceId,
      previousId: asked.previousId,
      forMs,
      bytes: asked.bytes + bytes,
      read() {
        const response = read()
        const { hook_results: _, ...said } = isRecord(response) ? response : {}
        return { input: keptItems(asked.input, id), response: said }
      },
    })
  }
  if (isReadyStream(answer.body)) {
    answer.body = new Pipe(answer.body, new LastResponse(keep))
    return
  }
  const { body } = answer
  const id = ownIdIn(body)
  if (id !== undefined) keep(id, body.length, () => parseJson(new TextDecoder().decode(body)))
}

/** Bytes at the beginning of a response in which its id stands, behind the name of an event too. */
const HEAD_BYTES = 256

/** The first id of ours in a response, which is its own. */
const ownIdIn = (bytes: Uint8Array): string | undefined => {
  const head = textIn(bytes, 'latin1', 0, HEAD_BYTES)
  const [, id] = /"id":"(resp_[^"]*)"/.exec(head) ?? []
  return readOwnResponseId(id) === undefined ? undefined : id
}

const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete'])

/** Looks for the last event of a stream, which tells the whole response. One of a provider's own is not looked at. */
class LastResponse implements PipeMachine {
  readonly #keep: Keep
  #framer: SseFramer | undefined = new SseFramer()
  #isFirst = true

  constructor(keep: Keep) {
    this.#keep = keep
  }

  push(piece: Uint8Array, out: PipeOut): void {
    if (this.#isFirst && ownIdIn(piece) === undefined) this.#framer = undefined
    this.#isFirst = false
    for (const frame of this.#framer?.push(piece) ?? []) this.#look(frame)
    out.write(piece)
  }

  #look(frame: Uint8Array): void {
    // The name of an event stands in front of its data.
    const head = textIn(frame, 'latin1', 0, 'event: response.incomplete\n'.length)
    const [, name = ''] = /^event: (\S+)/.exec(head) ?? []
    const id = ENDS.has(name) ? ownIdIn(frame) : undefined
    if (id === undefined) return
    this.#framer = undefined
    this.#keep(id, frame.length, () => responseIn(frame))
  }
}

const responseIn = (frame: Uint8Array): unknown => {
  const event: unknown = parseJson(decodeFrame(frame)?.data ?? '{}')
  return isRecord(event) ? (event as Fields).response : undefined
}
