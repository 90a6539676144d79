import { encodeEvent, isRecord } from '#kit'
import type { Fields } from '../turns.ts'

/** The events of one stream that is made of several. */
export class Numbered {
  readonly #output: unknown[]
  #sequence = 0
  #next = 0
  /** Where items of the present turn stand in the whole; undefined: they are not shown. */
  #places = new Map<unknown, number | undefined>()

  /** @param output in which items are kept as they are shown */
  constructor(output: unknown[]) {
    this.#output = output
  }

  beginTurn(): void {
    this.#places = new Map()
  }

  /** The place of another item. */
  take(): number {
    return this.#next++
  }

  keep(index: number, item: unknown): void {
    this.#output[index] = item
  }

  event(fields: Fields): Uint8Array {
    const type = String(fields.type)
    return encodeEvent(JSON.stringify({ ...fields, sequence_number: this.#sequence++ }), type)
  }

  /** A whole item, with what comes between its beginning and its end. */
  *item(item: unknown, between: readonly string[] = []): Generator<Uint8Array> {
    const index = this.take()
    const id = isRecord(item) ? item.id : undefined
    yield this.event({ type: 'response.output_item.added', output_index: index, item })
    for (const type of between) yield this.event({ type, item_id: id, output_index: index })
    yield this.event({ type: 'response.output_item.done', output_index: index, item })
    this.keep(index, item)
  }

  /** An event of a turn about one of its items. */
  *pass(fields: Fields, isHidden: (item: unknown) => boolean): Generator<Uint8Array> {
    const { output_index: inner, item, type } = fields
    if (inner === undefined) {
      yield this.event(fields)
      return
    }
    if (type === 'response.output_item.added') this.#places.set(inner, isHidden(item) ? undefined : this.take())
    const index = this.#places.get(inner)
    if (index === undefined) return
    if (type === 'response.output_item.done') this.keep(index, item)
    yield this.event({ ...fields, output_index: index })
  }
}
