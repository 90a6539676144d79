import type { Mutant } from '../mutant.ts'

const RING = 'src/limits/ring/ring.ts'
const TABLE = 'src/limits/ring/ring-table.ts'
const STORE = 'src/limits/ring/memory-store.ts'

/** Sees every one of them. */
const suite = 'test/property/limits/quick.test.ts'

const mutant = (name: string, file: string, find: string, replace: string): Mutant => ({
  name,
  file,
  find,
  replace,
  suite,
})

/** Faults that a limiter in memory has had somewhere, or could have by a slip. */
export const RING_MUTANTS: readonly Mutant[] = [
  mutant(
    'B buckets in place of B + 1',
    RING,
    'const first = bucket - buckets\n',
    'const first = bucket - buckets + 1\n',
  ),
  mutant('one bucket too many', RING, 'const first = bucket - buckets\n', 'const first = bucket - buckets - 1\n'),
  mutant(
    'the last weight that fits is refused',
    RING,
    'ring.sum + needed <= claim.limit',
    'ring.sum + needed < claim.limit',
  ),
  mutant('one more than the limit', RING, 'ring.sum + needed <= claim.limit', 'ring.sum + needed <= claim.limit + 1'),
  mutant('the weight is not looked at', RING, 'ring.sum + needed <= claim.limit', 'ring.sum < claim.limit'),
  mutant('a weight of 0 always fits', RING, 'const needed = Math.max(claim.weight, 1)', 'const needed = claim.weight'),
  mutant('a weight above the limit may come again', RING, "claim.limit) return 'never'", "claim.limit) return 'later'"),
  mutant('a weight as large as the limit never fits', RING, 'if (needed > claim.limit)', 'if (needed >= claim.limit)'),
  mutant(
    'the time of a ring steps back',
    RING,
    'Math.max(Math.floor(nowMs / grid.bucketMs), ring.newest)',
    'Math.floor(nowMs / grid.bucketMs)',
  ),
  mutant('what has left stays in the sum', RING, '    ring.sum -= weight\n', ''),
  mutant('what has left stays in its bucket', RING, '    ring.buckets.delete(index)\n    ring.sum', '    ring.sum'),
  mutant('the oldest bucket is not found again', RING, '      ring.oldest = index\n      return', '      return'),
  mutant(
    'a coarse bucket leaves with its first part',
    RING,
    'bucket - (bucket % grain) + grain - 1',
    'bucket - (bucket % grain)',
  ),
  mutant('grain is ignored', RING, 'bucket - (bucket % grain) + grain - 1', 'bucket'),
  mutant('a retry comes a bucket early', RING, '(index + grid.buckets + 1) * grid', '(index + grid.buckets) * grid'),
  mutant('a retry comes a bucket late', RING, '(index + grid.buckets + 1) * grid', '(index + grid.buckets + 2) * grid'),
  mutant(
    'a retry is rounded down',
    RING,
    'if (counted <= room) return untilGone(index, grid, nowMs)',
    'if (counted <= room) return Math.floor(untilGone(index, grid, nowMs) / grid.bucketMs) * grid.bucketMs',
  ),
  mutant('a retry waits for less than it needs', RING, 'if (counted <= room)', 'if (counted <= room + weight)'),
  mutant('a retry waits for more than it needs', RING, 'if (counted <= room)', 'if (counted < room)'),
  mutant('a bucket is overwritten', RING, '(held ?? 0) + added', 'added'),
  mutant(
    'the oldest bucket is the last one written',
    RING,
    'ring.buckets.size === 0 ? index : Math.min(ring.oldest, index)',
    'index',
  ),
  mutant(
    'the oldest bucket is the first one written',
    RING,
    'ring.buckets.size === 0 ? index : Math.min(ring.oldest, index)',
    'ring.buckets.size === 0 ? index : ring.oldest',
  ),
  mutant(
    'buckets in the order of their writing',
    RING,
    'if (held === undefined && index < ring.last) putInOrder(ring)',
    '',
  ),
  mutant(
    'a refund goes to the current bucket',
    STORE,
    'refund(stored.ring, index, -delta)',
    'refund(stored.ring, stored.ring.last, -delta)',
  ),
  mutant('a refund takes more than there was', RING, 'const given = Math.min(held, weight)', 'const given = weight'),
  mutant('a refund stays in the sum', RING, '  ring.sum -= given\n', ''),
  mutant('a refund takes the whole bucket', RING, 'if (held > given) {', 'if (held < given) {'),
  mutant('after a refund the oldest bucket is one that is gone', RING, 'ring.oldest = oldest', 'ring.oldest = index'),
  mutant('a debt does not see the time', RING, '  ring.newest = bucketAt(ring, grid, nowMs)\n', ''),
  mutant(
    'debt is forgotten',
    STORE,
    'table.keep(owing, debit(owing.ring, owing.grid, delta, grain, nowMs))',
    'table.keep(owing, index)',
  ),
  mutant('debt is cut', STORE, 'owing.grid, delta, grain', 'owing.grid, 1, grain'),
  mutant(
    'debt beyond the limit is cut',
    RING,
    '  // A claim of 0 asks',
    '  if (ring.sum > claim.limit) ring.sum = claim.limit\n  // A claim of 0 asks',
  ),
  mutant(
    'overage is asked for and not taken',
    STORE,
    'if (delta <= 0) continue',
    "if (delta <= 0 || (stored !== undefined && judge(stored.ring, stored.grid, { limit: 100, weight: delta, grain, shadow: false }, nowMs) !== 'yes')) continue",
  ),
  mutant(
    'what fits is charged although the call is refused',
    STORE,
    'verdicts.push(conclude(',
    "verdicts.push((fit === 'yes' ? commit : conclude)(",
  ),
  mutant(
    'refused calls are charged',
    STORE,
    'const conclude = admitted ? commit : describe',
    'const conclude = commit',
  ),
  mutant(
    'a shadow refuses',
    STORE,
    "if (fit !== 'yes' && !charge.shadow) admitted = false",
    "if (fit !== 'yes') admitted = false",
  ),
  mutant(
    'only the first charge can refuse',
    STORE,
    "fit !== 'yes' && !charge.shadow)",
    "fit !== 'yes' && !charge.shadow && place === 0)",
  ),
  mutant('a look is a charge', STORE, 'copyRing(stored.ring)', 'stored.ring'),
  mutant('one window for all groups', TABLE, '?.get(key.group)', '?.values().next().value'),
  mutant(
    'one window for all workspaces',
    TABLE,
    'workspaces.get(workspaceId)?.get(limitId)?',
    'workspaces.values().next().value?.get(limitId)?',
  ),
  mutant('one window for all limits', TABLE, '?.get(limitId)?.get(unit)', '?.values().next().value?.get(unit)'),
  mutant('one window for all units', TABLE, '?.get(limitId)?.get(unit)', '?.get(limitId)?.values().next().value'),
  mutant('a reset keeps what was used', STORE, '      table.remove(stored)\n', ''),
  mutant(
    'kept for one window only',
    TABLE,
    'goneAt(index, stored.grid) + KEPT_MS)',
    '(index + stored.grid.buckets) * stored.grid.bucketMs)',
  ),
  mutant(
    'kept from the first charge on only',
    TABLE,
    'stored.endsMs = Math.max(stored.endsMs, goneAt(index, stored.grid) + KEPT_MS)',
    'if (stored.endsMs === 0) stored.endsMs = goneAt(index, stored.grid) + KEPT_MS',
  ),
  mutant(
    'nothing is ever dropped',
    TABLE,
    'stored.endsMs <= nowMs) this.remove(stored)',
    'stored.endsMs < 0) this.remove(stored)',
  ),
  mutant(
    'a ring in use is dropped by its own call',
    TABLE,
    'stored !== undefined && stored.call !== this.#call && stored.endsMs',
    'stored !== undefined && stored.endsMs',
  ),
  mutant(
    'room is made by the call itself',
    TABLE,
    'if (stored === undefined || stored.call === this.#call) continue',
    'if (stored === undefined) continue',
  ),
  mutant('the ring that ends last makes room', TABLE, 'stored.endsMs < first.endsMs', 'stored.endsMs > first.endsMs'),
  mutant('another ring is dropped than was meant', TABLE, '      last.place = stored.place\n', ''),
  mutant('a lease is charged at its beginning', RING, 'nowMs + leaseMs), grain)', 'nowMs), grain)'),
  mutant('a lease goes by the fine bucket alone', RING, 'nowMs + leaseMs), grain)', 'nowMs + leaseMs), 1)'),
  mutant('a lease takes all it wants', RING, 'Math.min(wanted - kept, most)', 'wanted - kept'),
  mutant('what is in hand is left for the next lease', RING, '/ share) - inHand', '/ share)'),
  mutant('a lease of debt is extended', RING, ' || ring.sum > limit) return', ') return'),
  mutant('a lease of another bucket is extended', RING, 'index === last.index ? last.weight : 0', 'last.weight'),
  mutant(
    'a lease counts what has left',
    RING,
    'leaseMs } = ask\n  prune(ring, bucketAt(ring, grid, nowMs), grid)\n',
    'leaseMs } = ask\n',
  ),
]
