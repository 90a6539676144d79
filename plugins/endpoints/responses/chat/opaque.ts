import { createBlockList } from '#calls/accumulate-blocks'
import { isRecord } from '#kit'
import type { ContentBlock } from '#kit/provider'
import { type Carried, sealCarried } from './carried.ts'

type Fields = Readonly<Record<string, unknown>>

/** Collects what only the provider understands of its reasoning, until an item takes it along. */
export class OpaqueState {
  readonly #provider: string
  /** Types of blocks by their index: only the first piece of one tells it. */
  readonly #types = new Map<number, string>()
  #blocks = createBlockList()
  #calls: Record<string, Fields> = {}
  #details: unknown[] = []
  #hasSome = false

  constructor(provider: string) {
    this.#provider = provider
  }

  /** A content block, or a piece of one. Text without a mark of its own is told by the message itself. */
  addBlock(piece: Fields): void {
    const { index, type, delta } = piece
    if (typeof index !== 'number') return
    if (typeof type === 'string' && !type.endsWith('_delta')) this.#types.set(index, type)
    const known = this.#types.get(index) ?? (isThought(delta) ? 'thinking' : 'text')
    if (known === 'text' && !isRecord(piece.extra_content)) return
    this.#blocks.add(piece)
    this.#hasSome = true
  }

  addCall(callId: string, mark: Fields): void {
    this.#calls[callId] = mark
    this.#hasSome = true
  }

  addDetails(details: readonly unknown[]): void {
    this.#details.push(...details)
    this.#hasSome ||= details.length > 0
  }

  /**
   * What was collected since the last time.
   * @param isAsked there is something to be sealed, however little
   * @returns undefined for nothing that the provider would miss
   */
  take(isAsked: boolean): string | undefined {
    if (!this.#hasSome && !isAsked) return undefined
    const blocks = this.#blocks.whole().filter(isMarked)
    const carried: Carried = {
      by: this.#provider,
      ...(blocks.length === 0 ? {} : { blocks }),
      ...(Object.keys(this.#calls).length === 0 ? {} : { calls: this.#calls }),
      ...(this.#details.length === 0 ? {} : { details: this.#details }),
    }
    this.#blocks = createBlockList()
    this.#calls = {}
    this.#details = []
    this.#hasSome = false
    return Object.keys(carried).length === 1 && !isAsked ? undefined : sealCarried(carried)
  }
}

const isThought = (delta: unknown): boolean =>
  isRecord(delta) && (delta.type === 'thinking_delta' || delta.type === 'signature_delta')

/** Thinking that its provider did not sign tells it nothing. */
const isMarked = (block: ContentBlock): boolean =>
  block.type !== 'thinking' || typeof block.signature === 'string' || isRecord(block.extra_content)
