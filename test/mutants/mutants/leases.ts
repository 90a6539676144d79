import type { Mutant } from '../mutant.ts'

const LEASE = 'src/limits/leases/lease.ts'
const LEASES = 'src/limits/leases/leases.ts'
const STORE = 'src/limits/away/shared-limit-store.ts'

/** See every one of them together. */
const suite = 'src/limits/leases test/property/limits-leases'

const mutant = (name: string, file: string, find: string, replace: string): Mutant => ({
  name,
  file,
  find,
  replace,
  suite,
})

/** Slips of a process that lets calls through by what it has leased. That it is charged where it ends is in the lists of rings. */
export const LEASE_MUTANTS: readonly Mutant[] = [
  mutant('a lease is used after its end', LEASE, ' || chunk.untilMs <= nowMs) continue', ') continue'),
  mutant('the time of a lease begins with the answer', LEASE, 'sentMs + this.leaseMs', 'nowMs + this.leaseMs'),
  mutant('a lease may be used to its last moment', LEASE, 'const USABLE = 0.99', 'const USABLE = 1'),
  mutant('more is used than was leased', LEASE, 'chunk.weight < weight ||', 'chunk.weight < 1 ||'),
  mutant('what was used is still there', LEASE, '    chunk.weight -= weight\n', ''),
  mutant(
    'what is left is given back twice',
    LEASE,
    '    this.#chunks = this.#chunks.filter((chunk) => !isTaken(chunk))\n',
    '',
  ),
  mutant('what is left is not given back', LEASE, 'if (weight > 0) backs.push', 'if (weight < 0) backs.push'),
  mutant(
    'what was used is given back',
    LEASE,
    'backs.push({ key: this.key, index, weight,',
    'backs.push({ key: this.key, index, weight: weight + 1,',
  ),
  mutant(
    'a lease of another bucket is extended',
    LEASE,
    'else if (last?.index === grant.index)',
    'else if (last !== undefined)',
  ),
  mutant('what a call did not use goes to any lease', LEASE, 'each.index === index', 'true'),
  mutant('debt is not taken from what is leased', LEASE, '    chunk.weight -= delta\n', ''),
  mutant('debt is taken from what there is too little of', LEASE, 'each.weight >= delta', 'true'),
  mutant('more is taken back than was leased', LEASE, ' || this.#inHand - delta > this.#size', ''),
  mutant(
    'a lease survives FLUSHALL',
    LEASE,
    'if (grant.generation !== this.#generation)',
    "if (this.#generation === '')",
  ),
  mutant(
    'a lease survives a lost connection',
    LEASE,
    '    this.epoch += 1\n    this.#clear()\n',
    '    this.epoch += 1\n',
  ),
  mutant('what is granted after the connection was lost is used', LEASES, ' || lease.epoch !== epochs[place]', ''),
  mutant(
    'what was lost is given back',
    LEASE,
    '    this.epoch += 1\n    this.#clear()\n',
    '    this.epoch += 1\n    for (const chunk of this.#chunks) chunk.untilMs = 0\n',
  ),
  mutant('a lease is used for another limit', LEASE, 'limit !== this.limit || ', ''),
  mutant('a lease says that something is left', LEASE, ' || weight === 0) return false', ') return false'),
  mutant(
    'some charges of a call are covered',
    LEASES,
    '!lease.covers(charge, nowMs)) return undefined',
    '!lease.covers(charge, nowMs)) continue',
  ),
  mutant('a ring that is named twice is covered once', LEASES, ' || lease.call === calls', ''),
  mutant('two asks of one ring at a time', LEASE, 'if (this.isAsking || nowMs', 'if (nowMs'),
  mutant('one process takes what is for all', LEASES, 'SHARE * Math.max(1, replicas())', 'SHARE'),
  mutant('a process takes all that is left', LEASES, 'const SHARE = 8', 'const SHARE = 1'),
  mutant(
    'leased beside a call that was refused',
    STORE,
    'leases.giveBackRefusing(charges, admission) ? check(call) : admission',
    'admission',
  ),
  mutant('headers promise what was used since', LEASE, 'used: used + this.#usedSince', 'used'),
  mutant(
    'what is over is given back with the next call only',
    LEASES,
    '      if (lease.isOver(nowMs)) backs.push(...lease.takeOver(nowMs))\n',
    '',
  ),
  mutant('what is over is given back by itself while it is renewed', LEASES, 'if (lease.isOver(nowMs)) ', ''),
  mutant(
    'rings of two workspaces go together in a Cluster',
    LEASES,
    "shared.kind === 'single' ? '' : key.workspaceId",
    "''",
  ),
]
