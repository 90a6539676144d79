/** `bun test/bench/matching/matching.ts`: microseconds for one call to find the policies that match it, and its groups. */
import { compilePolicies } from '../../../src/limits/match/compile.ts'
import { type Mix, mixesOf } from './mixes.ts'

const COUNTS = [1, 2, 10, 100, 1_000] as const
const ROUNDS = 15
const WARM_UP_MS = 200
const ROUND_MS = 40

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0

const measure = ({ policies, calls }: Mix): { readonly us: number; readonly matched: number } => {
  const compiled = compilePolicies(policies, { target: 'llm', now: Date.now })
  let matched = 0
  let asked = 0
  const runFor = (ms: number): number => {
    const startedMs = performance.now()
    let passedMs = 0
    let count = 0
    while (passedMs < ms) {
      for (const facts of calls) matched += compiled.match(facts).length
      count += calls.length
      passedMs = performance.now() - startedMs
    }
    asked += count
    return (passedMs * 1_000) / count
  }
  runFor(WARM_UP_MS)
  return { us: median(Array.from({ length: ROUNDS }, () => runFor(ROUND_MS))), matched: matched / asked }
}

console.log(`µs per call, median of ${ROUNDS} rounds; in brackets the policies that matched`)
const columns = COUNTS.map((count) => mixesOf(count).map((mix) => ({ name: mix.name, ...measure(mix) })))
const [first = []] = columns
console.log(['policies'.padEnd(38), ...COUNTS.map((count) => String(count).padStart(16))].join(''))
for (const [row, { name }] of first.entries()) {
  const cells = columns.map((column) => {
    const cell = column[row]
    return `${cell?.us.toFixed(2)} (${cell?.matched.toFixed(2)})`.padStart(16)
  })
  console.log([name.padEnd(38), ...cells].join(''))
}
