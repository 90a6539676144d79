import { type Answer, type Call, defined, type Endpoint, Pipe, type ReadyStream, type Usage } from '#kit'
import { type Report, report } from '#kit/slots'
import type { CachedRequest } from './cached-request.ts'
import { CollectedAnswer } from './collected-stream.ts'
import { countedTokens, type Entry, parsed } from './entry.ts'
import { withUsage } from './with-usage.ts'

export interface KeepOptions {
  readonly call: Call
  readonly request: CachedRequest
  readonly maxEntryBytes: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Hears once what came of it. */
  readonly onEnd: (kept: Kept) => void
}

export interface Kept {
  /** Absent when there is nothing that could be given again. */
  readonly entry?: Entry
  /** The client did not wait for the end. */
  readonly left: boolean
}

export interface KeepAnswer {
  plain(answer: Answer, body: Uint8Array): void
  /** @returns the stream to hand on */
  stream(answer: Answer, body: ReadyStream): ReadyStream
}

/**
 * Waits for the end of an attempt and makes an entry of its answer: only of one with status 200 that is whole, was used
 * by its call, and whose client took all of it.
 */
export const keepAnswer = ({ call, request, maxEntryBytes, now, onEnd }: KeepOptions): KeepAnswer => {
  let body: ((usage: Usage | undefined) => Uint8Array | undefined) | undefined
  let ended = false
  const end = (kept: Kept): void => {
    if (ended) return
    ended = true
    onEnd(kept)
  }
  const giveUp = (): void => end({ left: false })
  const entryOf = (usage: Usage | undefined): Entry | undefined => {
    const bytes = body?.(usage)
    const sent = call.find(report)
    if (bytes === undefined || bytes.length > maxEntryBytes || sent === undefined) return undefined
    const { model, droppedParams, via } = sent
    const head = { storedAtMs: now(), model, droppedParams, tokens: countedTokens(usage) }
    return { ...head, ...defined({ via, saved: savedBy(usage, sent) }), body: bytes }
  }
  call.onFinish(({ outcome, usage }) => {
    const entry = outcome === 'completed' && !ended ? entryOf(usage) : undefined
    end(entry === undefined ? { left: outcome === 'client_closed' } : { entry, left: false })
  })
  return {
    plain({ status }, bytes) {
      const isWhole = isWholeAnswer(call.endpoint, parsed(bytes))
      if (status !== 200 || request.stream || bytes.length > maxEntryBytes || !isWhole) giveUp()
      else body = () => bytes
    },
    stream({ status }, source) {
      const { answer: kind } = call.endpoint
      if (status !== 200 || !request.stream || kind.kind !== 'events') {
        giveUp()
        return source
      }
      const collected = new CollectedAnswer({ form: kind.form, maxCharacters: maxEntryBytes, onGiveUp: giveUp })
      body = (usage) => {
        const whole = collected.whole()
        if (whole === undefined) return undefined
        // Streams of other forms always say their usage.
        const { last } = kind.form
        return encoder.encode(JSON.stringify(last === undefined ? withUsage(whole.answer, usage) : whole.answer))
      }
      return new Pipe(source, collected)
    },
  }
}

/** An estimate is no count. */
const savedBy = (usage: Usage | undefined, { answered, bought }: Report): Entry['saved'] =>
  usage === undefined || usage.estimated === true ? undefined : { usage, ...defined({ answered, bought }) }

const isWholeAnswer = ({ answer, form }: Endpoint, body: Record<string, unknown> | undefined): boolean => {
  if (answer.kind === 'events') return answer.form.read(body) !== undefined
  // Of what is not translated only JSON comes in one piece; an error may come with status 200.
  return form !== undefined || (body ?? { error: true }).error == null
}

const encoder = new TextEncoder()
