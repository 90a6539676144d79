import { BOUNDS } from './bounds.ts'
import { Fault } from './errors.ts'
import type { Mark } from './structure.ts'

/** A message as rendered; `content` is a text, a list of parts, or null. */
export interface PromptMessage {
  readonly role: string
  readonly [field: string]: unknown
}

/** What may come next inside a bracket. `first`: the same as `key` or `value`, but the bracket may close as well. */
type Phase = 'first' | 'key' | 'colon' | 'value' | 'after'

/** What a bracket is the bracket of. `root`: the object around a list that is under its key `messages`. */
type Place = 'root' | 'list' | 'message' | 'inner'

interface Frame {
  readonly place: Place
  readonly bracket: '[' | '{'
  /** Keyed by number or by name. */
  readonly container: object
  readonly offset: number
  phase: Phase
  key: string
  count: number
}

/**
 * Makes messages of the tokens of a JSON text, one after the other. What fills a string comes in by a way of its own, which
 * leads neither to a key nor to a role.
 */
export class MessageBuilder {
  readonly #open: Frame[] = []
  #messages: readonly PromptMessage[] | undefined
  /** Brackets that may not be closed, because they are outside of the partial that is read. */
  #floor = 0
  #isDone = false

  mark(mark: Mark, offset: number): void {
    switch (mark) {
      case '[':
      case '{':
        this.#openBracket(mark, offset)
        break
      case ']':
      case '}':
        this.#closeBracket(mark === ']' ? '[' : '{', offset)
        break
      case ':':
        this.#step('colon', 'value', offset)
        break
      case ',':
        this.#step('after', this.#open.at(-1)?.bracket === '{' ? 'key' : 'value', offset)
        break
    }
  }

  /** A text, number, boolean or null of the template itself. */
  constant(value: unknown, offset: number): void {
    const frame = this.#open.at(-1)
    if (frame?.bracket === '{' && (frame.phase === 'first' || frame.phase === 'key')) {
      if (typeof value !== 'string') throw new Fault('a key must be a string', offset)
      if (value === '__proto__') throw new Fault("the key '__proto__' is never allowed", offset)
      frame.key = value
      frame.phase = 'colon'
      return
    }
    this.#add(value, typeof value === 'string' ? 'string' : value === null ? 'null' : 'other', offset)
  }

  /** What stands for a string with tags in it. @throws Fault for one that is a key or the role of a message */
  filled(value: unknown, offset: number): void {
    const frame = this.#open.at(-1)
    if (frame?.bracket === '{' && (frame.phase === 'first' || frame.phase === 'key')) {
      throw new Fault('a key cannot have tags in it', offset)
    }
    if (frame?.place === 'message' && frame.key === 'role') throw new Fault('a role cannot have tags in it', offset)
    this.#add(value, 'string', offset)
  }

  /** Runs what reads a partial, which has to close what it opens and nothing else. */
  inside(read: () => void): void {
    const floor = this.#floor
    this.#floor = this.#open.length
    read()
    const unclosed = this.#open[this.#floor]
    if (unclosed !== undefined) throw new Fault('the bracket is never closed', unclosed.offset)
    this.#floor = floor
  }

  /** @throws Fault when brackets are open still */
  end(offset: number): readonly PromptMessage[] {
    const unclosed = this.#open.at(-1)
    if (unclosed !== undefined) throw new Fault('the bracket is never closed', unclosed.offset)
    if (this.#messages === undefined) throw new Fault('here a list of messages should be', offset)
    return this.#messages
  }

  #step(from: Phase, to: Phase, offset: number): void {
    const frame = this.#open.at(-1)
    if (frame?.phase !== from) throw new Fault(`here ${expected(frame)} should be`, offset)
    frame.phase = to
  }

  #add(value: unknown, kind: Kind, offset: number): void {
    const frame = this.#open.at(-1)
    if (frame === undefined) {
      if (this.#isDone) throw new Fault('nothing may follow the list of messages', offset)
      if (kind !== 'list' && kind !== 'object') throw new Fault('a prompt is a list of messages', offset)
      this.#isDone = true
      return
    }
    if (frame.phase !== 'value' && !(frame.phase === 'first' && frame.bracket === '[')) {
      throw new Fault(`here ${expected(frame)} should be`, offset)
    }
    checkPlace(frame, kind, value, offset)
    Reflect.set(frame.container, frame.bracket === '[' ? frame.count : frame.key, value)
    frame.count += 1
    frame.phase = 'after'
  }

  #openBracket(bracket: '[' | '{', offset: number): void {
    if (this.#open.length === BOUNDS.depth) throw new Fault(`more than ${BOUNDS.depth} brackets in one another`, offset)
    const outer = this.#open.at(-1)
    const container = bracket === '[' ? [] : {}
    this.#add(container, bracket === '[' ? 'list' : 'object', offset)
    const place = placeWithin(outer?.place, bracket)
    this.#open.push({ place, bracket, container, offset, phase: 'first', key: '', count: 0 })
  }

  #closeBracket(bracket: '[' | '{', offset: number): void {
    const frame = this.#open.at(-1)
    if (frame === undefined || this.#open.length === this.#floor || frame.bracket !== bracket) {
      throw new Fault('no such bracket is open here', offset)
    }
    if (frame.phase !== 'first' && frame.phase !== 'after') {
      throw new Fault(`here ${expected(frame)} should be`, offset)
    }
    if (frame.place === 'message' && !Object.hasOwn(frame.container, 'role')) {
      throw new Fault('the message has no role', frame.offset)
    }
    if (frame.place === 'list') this.#messages = frame.container as readonly PromptMessage[]
    this.#open.pop()
  }
}

type Kind = 'string' | 'null' | 'other' | 'list' | 'object'

/** What a prompt demands of a value, other than being JSON. */
const checkPlace = (frame: Frame, kind: Kind, value: unknown, offset: number): void => {
  switch (frame.place) {
    case 'root':
      if (frame.key !== 'messages') throw new Fault("beside the key 'messages' there can be no other", offset)
      if (kind !== 'list') throw new Fault("'messages' must be a list", offset)
      break
    case 'list':
      if (kind !== 'object') throw new Fault('a message must be an object', offset)
      break
    case 'message':
      if (frame.key === 'role' && (kind !== 'string' || value === '')) throw new Fault('a role must be a text', offset)
      if (frame.key === 'content' && kind !== 'string' && kind !== 'null' && kind !== 'list') {
        throw new Fault('content must be a text, a list of parts, or null', offset)
      }
      break
    case 'inner':
      break
  }
}

const placeWithin = (outer: Place | undefined, bracket: '[' | '{'): Place => {
  if (outer === undefined) return bracket === '[' ? 'list' : 'root'
  if (outer === 'root') return 'list'
  return outer === 'list' ? 'message' : 'inner'
}

const expected = (frame: Frame | undefined): string => {
  if (frame === undefined) return 'the end'
  const closing = frame.bracket === '[' ? "']'" : "'}'"
  switch (frame.phase) {
    case 'first':
      return frame.bracket === '[' ? `a value or ${closing}` : `a key or ${closing}`
    case 'key':
      return 'a key'
    case 'colon':
      return "':'"
    case 'value':
      return 'a value'
    case 'after':
      return `',' or ${closing}`
  }
}
