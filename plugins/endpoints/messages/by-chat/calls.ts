import { isRecord, parseJson } from '#kit'
import type { Fields } from './values.ts'

/** A tool call of a stream, as far as it has come. */
export interface StreamedCall {
  readonly place: number
  id: string
  name: string
  /** All of its arguments so far. */
  text: string
  /** Those of them that the client does not have yet. */
  unsent: string
  extra: Fields | undefined
}

/**
 * The tool calls of a stream, which may come in turns. Blocks may not, so one is written at a time: the others wait until its
 * arguments are whole.
 */
export class StreamedCalls {
  readonly #byIndex = new Map<unknown, StreamedCall>()
  readonly #waiting: StreamedCall[] = []
  #count = 0

  /** How many there were. */
  get count(): number {
    return this.#count
  }

  /** Whether the arguments of the next one have begun. */
  get isNextReady(): boolean {
    const [next] = this.#waiting
    return next !== undefined && next.text !== ''
  }

  /** Takes one piece. */
  add(piece: Fields): void {
    const called = isRecord(piece.function) ? piece.function : {}
    const id = textOf(piece.id)
    const before = this.#byIndex.get(piece.index)
    // Some hosts number all calls alike: another id is another call.
    const isNew = before === undefined || (id !== '' && before.id !== '' && id !== before.id)
    const call = isNew ? this.#begin(piece.index) : before
    if (call.id === '') call.id = id
    call.name += textOf(called.name)
    const text = textOf(called.arguments)
    call.text += text
    call.unsent += text
    if (isRecord(piece.extra_content)) call.extra = piece.extra_content
  }

  /** The next one that the client has nothing of. */
  next(): StreamedCall | undefined {
    return this.#waiting.shift()
  }

  #begin(index: unknown): StreamedCall {
    const call = { place: this.#count++, id: '', name: '', text: '', unsent: '', extra: undefined }
    this.#byIndex.set(index, call)
    this.#waiting.push(call)
    return call
  }
}

/** Whether the arguments of a call have come whole. */
export const isWhole = ({ text }: StreamedCall): boolean => {
  try {
    return isRecord(parseJson(text))
  } catch {
    return false
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
