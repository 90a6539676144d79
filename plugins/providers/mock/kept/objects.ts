import { MOCK_CREATED } from '../answer.ts'
import { MockRefusal } from '../refusal.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Something that the mock keeps until it stops. */
export interface Kept extends Fields {
  readonly id: string
  readonly object: string
  readonly created_at: number
}

/** Kinds of objects: what their ids begin with, and what they say they are. */
const KINDS = {
  assistants: { prefix: 'asst', object: 'assistant' },
  threads: { prefix: 'thread', object: 'thread' },
  messages: { prefix: 'msg', object: 'thread.message' },
  runs: { prefix: 'run', object: 'thread.run' },
  steps: { prefix: 'step', object: 'thread.run.step' },
  stores: { prefix: 'vs', object: 'vector_store' },
  storeFiles: { prefix: 'file', object: 'vector_store.file' },
  storeBatches: { prefix: 'vsfb', object: 'vector_store.files_batch' },
  jobs: { prefix: 'ftjob', object: 'fine_tuning.job' },
  jobEvents: { prefix: 'ftevent', object: 'fine_tuning.job.event' },
  checkpoints: { prefix: 'ftckpt', object: 'fine_tuning.job.checkpoint' },
} as const

export type Kind = keyof typeof KINDS

/** Of one kind; the oldest is forgotten for one more. */
const MAX_OBJECTS = 1_000

/** What the mock keeps in memory. Its time goes on by a second for each object, as it has no clock. */
export class KeptObjects {
  readonly #byKind = new Map<Kind, Map<string, Kept>>()
  #count = 0

  /** @param id in the place of one of its own; one that is there already is replaced */
  make(kind: Kind, fields: Fields, id = this.#nextId(kind)): Kept {
    const kept: Kept = { id, object: KINDS[kind].object, created_at: MOCK_CREATED + this.#count++, ...fields }
    const objects = this.#of(kind)
    objects.set(keyOf(kept), kept)
    const oldest = objects.size > MAX_OBJECTS ? objects.keys().next() : undefined
    if (oldest?.done === false) objects.delete(oldest.value)
    return kept
  }

  /**
   * @param where it belongs: fields that it must have
   * @throws MockRefusal (404)
   */
  find(kind: Kind, id: string, where: Fields = {}): Kept {
    const found = this.list(kind, where).find((kept) => kept.id === id)
    if (found !== undefined) return found
    throw new MockRefusal(404, `The mock has no ${KINDS[kind].object} '${id}'.`, null, 'not_found')
  }

  change(kind: Kind, kept: Kept, fields: Fields): Kept {
    const changed = { ...kept, ...fields }
    this.#of(kind).set(keyOf(kept), changed)
    return changed
  }

  /** @returns what is answered then */
  remove(kind: Kind, kept: Kept): object {
    this.#of(kind).delete(keyOf(kept))
    return { id: kept.id, object: `${kept.object}.deleted`, deleted: true }
  }

  /** The oldest first. */
  list(kind: Kind, where: Fields = {}): readonly Kept[] {
    const names = Object.keys(where)
    return [...this.#of(kind).values()].filter((kept) => names.every((name) => kept[name] === where[name]))
  }

  #nextId(kind: Kind): string {
    return `${KINDS[kind].prefix}_${String(this.#count + 1).padStart(24, '0')}`
  }

  #of(kind: Kind): Map<string, Kept> {
    const known = this.#byKind.get(kind)
    if (known !== undefined) return known
    const objects = new Map<string, Kept>()
    this.#byKind.set(kind, objects)
    return objects
  }
}

/** A file may be in several stores. */
const keyOf = ({ id, vector_store_id: store }: Kept): string => (typeof store === 'string' ? `${store}/${id}` : id)
