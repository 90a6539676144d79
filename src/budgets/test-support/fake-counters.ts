import { type BudgetCharge, type CounterKey, unitsOf } from '../../core/budgets.ts'
import type { Counter, Counters } from '../counter.ts'

type Mutable = { -readonly [Field in keyof Counter]: Counter[Field] }

/** Counts in the hands of a test, whose ledger takes in what is spent when the test says so. */
export interface FakeCounters extends Counters {
  /** The ledger has counted all that was spent so far. */
  apply(): void
  /** Another process has spent that much, and the ledger knows of it. */
  spentElsewhere(counter: Counter, amount: bigint): void
  /** What a reset fails with. */
  failure: Error | undefined
}

const nameOf = ({ workspaceId, budgetId, group, startMs }: CounterKey): string =>
  JSON.stringify([workspaceId, budgetId, group, startMs])

export const createFakeCounters = (): FakeCounters => {
  const all = new Map<string, { readonly counter: Mutable; ledger: bigint; pending: bigint }>()
  const listeners: ((counter: Counter) => void)[] = []

  const entryOf = (key: CounterKey, about: Pick<Counter, 'type' | 'label' | 'endMs'>) => {
    const name = nameOf(key)
    const known = all.get(name)
    if (known !== undefined) return known
    const { type, label, endMs } = about
    const counter: Mutable = {
      ...{ key, type, label, stored: 0, pending: 0, counted: 0, held: 0, generation: 0, isKept: true },
    }
    if (endMs !== undefined) counter.endMs = endMs
    const made = { counter, ledger: 0n, pending: 0n }
    all.set(name, made)
    return made
  }

  const update = (entry: ReturnType<typeof entryOf>): void => {
    entry.counter.stored = unitsOf(entry.counter.type, entry.ledger)
    entry.counter.pending = unitsOf(entry.counter.type, entry.pending)
    for (const listener of listeners) listener(entry.counter)
  }

  const fake: FakeCounters = {
    failure: undefined,
    of: (key, about) => entryOf(key, about).counter,
    find: (key) => all.get(nameOf(key))?.counter,
    list: (workspaceId, budgetId, nowMs) =>
      [...all.values()]
        .map(({ counter }) => counter)
        .filter(
          ({ key, endMs }) =>
            key.workspaceId === workspaceId && key.budgetId === budgetId && !((endMs ?? nowMs + 1) <= nowMs),
        ),
    announce: () => () => undefined,
    spent(workspaceId, charges: readonly BudgetCharge[]) {
      for (const { budgetId, group, startMs, type, label, endMs, amount } of charges) {
        const about = endMs === undefined ? { type, label } : { type, label, endMs }
        const entry = entryOf({ workspaceId, budgetId, group, startMs }, about)
        entry.pending += BigInt(amount)
        update(entry)
      }
    },
    total(counter) {
      const entry = all.get(nameOf(counter.key))
      return entry === undefined ? 0n : entry.ledger + entry.pending
    },
    async reset(counter) {
      if (fake.failure !== undefined) throw fake.failure
      const entry = entryOf(counter.key, counter)
      entry.ledger = 0n
      entry.pending = 0n
      entry.counter.generation += 1
      update(entry)
    },
    onChange: (listener) => void listeners.push(listener),
    apply() {
      for (const entry of all.values()) {
        entry.ledger += entry.pending
        entry.counter.counted += entry.counter.pending
        entry.pending = 0n
        update(entry)
      }
    },
    spentElsewhere(counter, amount) {
      const entry = entryOf(counter.key, counter)
      entry.ledger += amount
      update(entry)
    },
  }
  return fake
}
