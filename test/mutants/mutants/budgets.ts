import type { Mutant } from '../mutant.ts'

const COUNT = 'src/limits/redis/scripts/count.lua'
const ADMIT = 'src/limits/redis/scripts/admit.lua'
const TELL = 'src/limits/redis/scripts/tell.lua'
const SHARED_COUNT = 'src/limits/claims/shared-count.ts'
const SHARED_COUNTS = 'src/limits/claims/shared-counts.ts'
const KEYS = 'src/limits/redis/redis-keys.ts'
const HOLDS = 'src/limits/claims/holds.ts'
const CLAIMS = 'src/limits/claims/claims.ts'

/** See every one of them together. */
const suite = 'test/property/limits-budgets src/limits/redis/redis-counts.test.ts src/limits/claims src/limits/away'

const mutant = (name: string, file: string, find: string, replace: string): Mutant => ({
  name,
  file,
  find,
  replace,
  suite,
})

/** Slips of a store of claims: what lets a budget be exceeded, or keeps it shut. */
export const BUDGET_MUTANTS: readonly Mutant[] = [
  mutant('a hold is not given back', HOLDS, '    hold.counter.held -= given\n', ''),
  mutant('a hold is given back twice', HOLDS, '    hold.weight -= given\n', ''),
  mutant('a hold lasts for ever', HOLDS, 'hold.sinceMs + LONGEST_MS > nowMs', 'true'),
  mutant('a shadow holds', HOLDS, ' || claim.shadow ||', ' ||'),
  mutant('a full budget lets one more through', CLAIMS, 'weight === 0 ? used < limit', 'weight === 0 ? used <= limit'),
  mutant('the weight is not looked at', CLAIMS, 'used + weight <= limit', 'used < limit'),
  mutant('Redis does not look at the weight', ADMIT, 'used + weight <= limit', 'used < limit'),
  mutant('Redis lets one more through', ADMIT, 'weight == 0 and used < limit', 'weight == 0 and used <= limit'),
  mutant('a call that is refused holds', ADMIT, 'if admitted then claim', 'if true then claim'),
  mutant('a look is written', ADMIT, 'if writes then\n  for', 'if true then\n  for'),
  mutant('others are not counted', COUNT, '        others = others + amount\n', ''),
  mutant('a dead process is counted', COUNT, 'now - stamp < FRESH_MS', 'true'),
  mutant('a slow process is not counted', COUNT, 'local FRESH_MS = 30000', 'local FRESH_MS = 20000'),
  mutant('the total is lower than that of the ledger', COUNT, 'max(total, numbers[at + 1])', 'total'),
  mutant('the total is the last one told', COUNT, 'max(total, numbers[at + 1])', 'numbers[at + 1]'),
  mutant('digits are lost', COUNT, "format('%.0f:%.0f', count.own, now)", "count.own .. ':' .. format('%.0f', now)"),
  mutant('what is new is not told with a call', COUNT, 'max(0, told + numbers[at + 3])', 'told'),
  mutant('a lost field begins at nothing', COUNT, 'or numbers[at + 2],', 'or 0,'),
  mutant('the whole is added', TELL, 'numbers[at + 5] == 1 or not told', 'not told'),
  mutant('calls without an answer are forgotten', SHARED_COUNT, 'own: own + this.#asked', 'own'),
  mutant('a refused call stays counted', SHARED_COUNT, 'if (admitted || since !== this.#wholes)', 'if (admitted)'),
  mutant('an admitted call is told twice', SHARED_COUNT, 'this.#told += weight', 'this.#told += 0'),
  mutant(
    'nothing is told anew',
    SHARED_COUNTS,
    '      count.isUnsure = true\n      active.add(count)',
    '      active.add(count)',
  ),
  mutant('a reset begins no other count in Redis', KEYS, '${startMs}:${generation}', '${startMs}'),
  mutant(
    'a reset begins no other count here',
    SHARED_COUNTS,
    'generation === counter.generation',
    'generation <= counter.generation',
  ),
]
