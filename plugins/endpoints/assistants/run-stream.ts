import {
  decodeFrame,
  isReadyStream,
  Pipe,
  type PipeMachine,
  type PipeOut,
  SseFramer,
  type Stage,
  StreamTruncated,
} from '#kit'

/**
 * Events behind which nothing has to come: what a run ends with, or what it waits for ("Assistants streaming" of OpenAI's API
 * reference; `AssistantStreamEvent` of openai-node 7.55.0, read 2026-11-24).
 */
const ENDS: ReadonlySet<string> = new Set([
  'done',
  'error',
  'thread.run.requires_action',
  'thread.run.completed',
  'thread.run.incomplete',
  'thread.run.failed',
  'thread.run.cancelled',
  'thread.run.expired',
])

/** Follows the events of a run on their way, which none of them is held up or changed on. */
class RunStream implements PipeMachine {
  readonly #framer = new SseFramer()
  /** It has come to its end, or nobody can tell any more. */
  #isOver = false

  push(piece: Uint8Array, out: PipeOut): void {
    if (!this.#isOver) this.#look(piece)
    out.write(piece)
  }

  /** @throws StreamTruncated: the connection of the client breaks, as a run that is cut must not look like one that ended */
  end(): void {
    if (!this.#isOver && !endsIn(this.#framer.rest()))
      throw new StreamTruncated('The stream of the run ended before the run did.')
  }

  #look(piece: Uint8Array): void {
    try {
      this.#isOver = this.#framer.push(piece).some(endsIn)
    } catch {
      // An event too large to be looked at.
      this.#isOver = true
    }
  }
}

const endsIn = (frame: Uint8Array): boolean => {
  const event = decodeFrame(frame)
  return event !== undefined && (ENDS.has(event.event) || event.data === '[DONE]')
}

/** Sees to it that a stream does not end before its run. */
export const streamedRun: Stage = {
  name: 'run-stream',
  async run(_call, next) {
    const answer = await next()
    const isOfEvents = /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '')
    return isOfEvents && isReadyStream(answer.body)
      ? { ...answer, body: new Pipe(answer.body, new RunStream()) }
      : answer
  },
}
