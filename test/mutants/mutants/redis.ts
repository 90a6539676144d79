import type { Mutant } from '../mutant.ts'

const RING = 'src/limits/redis/scripts/ring.lua'
const ADMIT = 'src/limits/redis/scripts/admit.lua'
const SETTLE = 'src/limits/redis/scripts/settle.lua'
const LEASE = 'src/limits/redis/scripts/lease.lua'
const MERGE = 'src/limits/redis/scripts/merge.lua'
const RESET = 'src/limits/redis/scripts/reset.lua'
const KEYS = 'src/limits/redis/redis-keys.ts'
const STORE = 'src/limits/redis/redis-store.ts'

/** Sees every one of them. */
const suite = 'test/property/limits-redis/quick.test.ts'

const mutant = (name: string, file: string, find: string, replace: string): Mutant => ({
  name,
  file,
  find,
  replace,
  suite,
})

/** Faults that a limiter in Redis has had somewhere, or could have by a slip. */
export const REDIS_MUTANTS: readonly Mutant[] = [
  mutant(
    'B buckets in place of B + 1',
    RING,
    'local first = ring.bucket - ring.buckets\n  if',
    'local first = ring.bucket - ring.buckets + 1\n  if',
  ),
  mutant(
    'the clock of the caller',
    RING,
    'local now = time[1] * 1000 + floor(time[2] / 1000)',
    'local now = tonumber(ARGV[#ARGV])',
  ),
  mutant('the time of a ring steps back', RING, 'if newest > current then', 'if false then'),
  mutant('what has left stays in the sum', RING, 'ring.sum = ring.sum - ring.weights[index]', 'ring.sum = ring.sum'),
  mutant(
    'what has left stays in the hash',
    RING,
    "if ring.dead and #ring.dead > 0 then call('HDEL', ring.key, unpack(ring.dead)) end",
    '',
  ),
  mutant(
    'kept for one window only',
    RING,
    'ring.bucket * ring.bucket_ms + ring.keep_ms)',
    'ring.bucket * ring.bucket_ms + ring.buckets * ring.bucket_ms)',
  ),
  mutant(
    'kept from the first charge on only',
    RING,
    'if ring.total and ring.held == 0 then',
    'if ring.total and not ring.exists then',
  ),
  mutant('a bucket is overwritten', RING, 'ring.total = ring.held + weight', 'ring.total = weight'),
  mutant(
    'the oldest bucket is the last one written',
    RING,
    'ring.sum == 0 and ring.index or math.min(ring.oldest, ring.index)',
    'ring.index',
  ),
  mutant(
    'a bucket leaves one bucket too early for the caller',
    RING,
    '(index + ring.buckets + 1) * ring.bucket_ms - now',
    '(index + ring.buckets) * ring.bucket_ms - now',
  ),
  mutant('times of retry are rounded down', RING, '* ring.bucket_ms - now\n', '* ring.bucket_ms - now - 1\n'),
  mutant(
    'fields are taken for indexes',
    RING,
    'ring.oldest + (field - ring.oldest) % FIELDS',
    'ring.oldest - ring.oldest % FIELDS + field',
  ),
  mutant(
    'groups are noted once and never again',
    RING,
    'if ring.exists and window == floor(ring.newest / ring.buckets) then',
    'if ring.exists then',
  ),
  mutant(
    'what is noted of a group goes within its window',
    RING,
    '(window + 1) * ring.buckets',
    'window * ring.buckets',
  ),
  mutant('weight is ignored by the check', ADMIT, 'local needed = math.max(charge.weight, 1)', 'local needed = 1'),
  mutant(
    'room up to the limit, and not including it',
    ADMIT,
    'ring.sum + needed <= limit',
    'ring.sum + needed < limit',
  ),
  mutant('a weight above the limit may come again', ADMIT, 'charge.fits = NEVER', 'charge.fits = LATER'),
  mutant(
    'what fits is charged although the call is refused',
    ADMIT,
    'if admitted and charge.weight > 0 then',
    'if charge.fits == YES and charge.weight > 0 then',
  ),
  mutant('refused calls are charged', ADMIT, 'if admitted and charge.weight > 0 then', 'if charge.weight > 0 then'),
  mutant('a shadow refuses', ADMIT, 'charge.fits ~= YES and asked[at + 2] == 0', 'charge.fits ~= YES'),
  mutant(
    'one call that is refused refuses those after it',
    ADMIT,
    'if charge.fits ~= YES and asked[at + 2] == 0 then admitted = false end',
    'if charge.fits ~= YES and asked[at + 2] == 0 then ARGV.refused = true end\n    if ARGV.refused then admitted = false end',
  ),
  mutant('a look is a charge', ADMIT, "rings, process = ARGV[1] ~= '1',", 'rings, process = true,'),
  mutant(
    'a retry waits for one bucket less than it needs',
    ADMIT,
    'if counted <= room then',
    'if counted <= room + ring.weights[index] then',
  ),
  mutant(
    'a refund goes to the current bucket',
    SETTLE,
    '  local index, delta = tonumber(ARGV[at]), tonumber(ARGV[at + 1])\n',
    '  local index, delta = tonumber(ARGV[at]), tonumber(ARGV[at + 1])\n  index = open(KEYS[2 * n - 1], KEYS[2 * n], at + 2).index\n',
  ),
  mutant(
    'a refund goes to a bucket that shares the field',
    RING,
    ' or index < oldest or index >= oldest + FIELDS then',
    ' then',
  ),
  mutant('a refund takes more than there was', RING, 'local given = math.min(held, weight)', 'local given = weight'),
  mutant('after a refund the oldest bucket is one that is gone', RING, 'oldest = ring.indexes[1]', 'oldest = index'),
  mutant('debt is forgotten', SETTLE, '    add(ring, delta)\n    save(ring)\n', ''),
  mutant('debt is cut', SETTLE, 'add(ring, delta)', 'add(ring, 1)'),
  mutant('a lease is charged at its beginning', LEASE, 'floor((now + lease_ms) / ring.bucket_ms)', 'ring.bucket'),
  mutant('a lease takes all it wants', LEASE, 'math.min(wanted - kept, most)', 'wanted - kept'),
  mutant('what is in hand is left for the next lease', LEASE, '/ share) - in_hand', '/ share)'),
  mutant('a lease of debt is extended', LEASE, ' or ring.sum > limit then', ' then'),
  mutant('a lease of another bucket is extended', LEASE, '  if index ~= last then kept = 0 end\n', ''),
  mutant('what was leased survives FLUSHALL', LEASE, '  if not is_known then in_hand, kept = 0, 0 end\n', ''),
  mutant('what FLUSHALL forgot is given back', LEASE, 'is_known and give_back(', 'give_back('),
  mutant(
    'a ring that was forgotten has the generation of the one before',
    LEASE,
    "string.format('%.0f', time[1] * 1000000 + time[2])",
    "'1'",
  ),
  mutant('what has left is merged', MERGE, 'if index >= first then', 'if true then'),
  mutant(
    'what is yet to come is merged',
    MERGE,
    'math.min(tonumber(ARGV[at + 4 + 2 * pair]), current)',
    'tonumber(ARGV[at + 4 + 2 * pair])',
  ),
  mutant('a reset keeps what was used', RESET, "redis.call('DEL', ring.key)\n", ''),
  mutant('a reset keeps the group in the list', RESET, "redis.call('ZREM', ring.index_key, ring.member)\n", ''),
  mutant('keys without a tag', KEYS, '`rl:{${workspaceId}}:', '`rl:${workspaceId}:'),
  mutant('the tag is the limit', KEYS, 'rl:{${workspaceId}}:${limitId}', 'rl:${workspaceId}:{${limitId}}'),
  mutant('keys without a unit', KEYS, '}:${limitId}:${unit}:`', '}:${limitId}:`'),
  mutant('one window for all groups', KEYS, '`${prefixOf(key)}${key.group}`', '`${prefixOf(key)}all`'),
  mutant(
    'first a look, then a blind write',
    STORE,
    'admit: (charges, claims = NO_CLAIMS) => judgeOne({ charges, claims }, true),',
    `async admit(charges, claims = NO_CLAIMS) {
      const seen = await judgeOne({ charges, claims }, false)
      const settlements = charges.map(({ key, weight, grain }) => ({ key, index: 0, delta: weight, grain }))
      if (seen.admitted) await this.settle(settlements)
      return seen
    },`,
  ),
]
