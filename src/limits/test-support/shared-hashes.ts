import { admitsAll, fitsBeside, type OpenVerdict } from '../claims/claims.ts'
import type { CountPart, SharedClaim, SharedCount } from '../claims/shared-count.ts'
import type { ToldCount } from '../claims/shared-counts.ts'
import { countKeyOf } from '../redis/redis-keys.ts'

interface Field {
  readonly amount: number
  readonly stampMs: number
}

interface Hash {
  total: number
  readonly fields: Map<string, Field>
}

const FRESH_MS = 30_000

/** Counts of budgets as `scripts/count.lua` keeps them, for all processes of a test. */
export const createSharedHashes = (now: () => number) => {
  const hashes = new Map<string, Hash>()

  const open = (key: string): Hash => {
    const known = hashes.get(key)
    if (known !== undefined) return known
    const fresh: Hash = { total: 0, fields: new Map() }
    hashes.set(key, fresh)
    return fresh
  }

  const usedIn = ({ total, fields }: Hash, process: string): number => {
    let used = total
    for (const [name, { amount, stampMs }] of fields) {
      if (name === process || now() - stampMs < FRESH_MS) used += amount
    }
    return used
  }

  const put = ({ fields }: Hash, process: string, amount: number): void => {
    if (amount > 0) fields.set(process, { amount, stampMs: now() })
    else fields.delete(process)
  }

  /** A hash with what a process tells of it. */
  const told = (hash: Hash, process: string, { stored, own, delta }: CountPart): Hash => {
    const before = hash.fields.get(process)?.amount
    const fresh: Hash = { total: Math.max(hash.total, stored), fields: new Map(hash.fields) }
    const amount = before === undefined ? own : Math.max(0, before + delta)
    if (amount !== (before ?? 0)) put(fresh, process, amount)
    return fresh
  }

  return {
    /** What the claims of a call are told, in the order of sending, for `decide`. */
    parts: (claims: readonly SharedClaim[], changes: boolean): ReadonlyMap<SharedCount, CountPart> =>
      new Map(claims.map(({ count }) => [count, changes ? count.tell() : count.look()])),

    /** @param run whether the rings admit the call, where the budgets do or do not */
    decide<Admitted extends { readonly admitted: boolean }>(
      process: string,
      claims: readonly SharedClaim[],
      parts: ReadonlyMap<SharedCount, CountPart>,
      changes: boolean,
      run: (othersAdmit: boolean) => Admitted,
    ): Admitted & { readonly budgets: readonly OpenVerdict[] } {
      const seen = new Map(
        [...parts].map(([count, part]) => [count, told(open(countKeyOf(count)), process, part)] as const),
      )
      const budgets = claims.map((claim): OpenVerdict => {
        const used = usedIn(seen.get(claim.count) ?? open(countKeyOf(claim.count)), process)
        return { fits: fitsBeside(used, claim), used, hold: undefined }
      })
      const admission = run(admitsAll(claims, budgets))
      if (changes) {
        for (const { count, weight, shadow } of claims) {
          const hash = seen.get(count)
          if (hash === undefined) continue
          const held = hash.fields.get(process)?.amount ?? 0
          if (admission.admitted && !shadow && weight > 0) put(hash, process, held + weight)
          hashes.set(countKeyOf(count), hash)
        }
      }
      return { ...admission, budgets }
    },

    /** @returns does it */
    tell(process: string, counts: readonly ToldCount[]): () => void {
      const all = counts.map(({ count, isWhole }) => ({
        key: countKeyOf(count),
        part: isWhole ? count.tellWhole() : count.tell(),
        isWhole,
      }))
      return () => {
        for (const { key, part, isWhole } of all) {
          const hash = told(open(key), process, part)
          const amount = isWhole ? part.own : (hash.fields.get(process)?.amount ?? 0)
          put(hash, process, amount)
          hashes.set(key, hash)
        }
      }
    },

    /** What is used of a count, as a process without anything of its own sees it. */
    used: (key: string): number => usedIn(open(key), ''),
    /** What a process has there. */
    amountOf: (key: string, process: string): number => open(key).fields.get(process)?.amount ?? 0,
    /** As after `FLUSHALL`, or a failover to an empty replica. */
    clear: (): void => hashes.clear(),
  }
}

export type SharedHashes = ReturnType<typeof createSharedHashes>
