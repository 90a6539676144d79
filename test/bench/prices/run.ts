/** `bun test/bench/prices/run.ts`: how long the list of prices takes to open, what it holds, and how long a cost takes. */
import { heapStats } from 'bun:jsc'
import { fakeHost } from '#kit/testing'
import { openPriceList } from '../../../plugins/prices/price-list.ts'
import { createPrices } from '../../../plugins/prices/prices.ts'
import type { Bought } from '../../../src/core/prices.ts'

const ROUNDS = 5_000_000
const WARM_UP = 200_000

/** What lives now, after what does not was let go. */
const heapBytes = (): number => {
  for (let round = 0; round < 3; round++) Bun.gc(true)
  return heapStats().heapSize
}

// What is opened first also compiles the code.
openPriceList()
const before = heapBytes()
const openedAtMs = performance.now()
const list = openPriceList()
const openMs = performance.now() - openedAtMs
const after = heapBytes()
console.log(`opening ${list.size} models: ${openMs.toFixed(1)} ms, ${((after - before) / 1e6).toFixed(2)} MB of heap`)

const { log, storedPrices } = fakeHost()
const prices = createPrices({ list, file: {}, storedPrices, log })
const tokens = { inputTokens: 1_200, outputTokens: 350, totalTokens: 1_550 }
const cases: Readonly<Record<string, Bought>> = {
  'tokens alone': bought('openai', 'gpt-5-2025-08-07', tokens),
  'every part': bought('anthropic', 'claude-opus-4-8', {
    ...tokens,
    cachedInputTokens: 700,
    cacheWriteTokens: 200,
    hourCacheWriteTokens: 100,
    reasoningTokens: 200,
    units: { web_search: 2 },
  }),
  'a name by rule': bought('vertex-ai', 'publishers/anthropic/models/claude-sonnet-4-5@20250929', tokens),
  'an unknown model': bought('openai', 'no-such-model', tokens),
}
for (const [name, each] of Object.entries(cases)) {
  let sum = 0
  const run = (rounds: number): void => {
    for (let round = 0; round < rounds; round++) sum += prices.costOf(each)?.cost.total ?? 0
  }
  run(WARM_UP)
  // Processor time: other programs run too.
  const startedAt = process.cpuUsage()
  run(ROUNDS)
  const { user, system } = process.cpuUsage(startedAt)
  const nanoseconds = ((user + system) * 1000) / ROUNDS
  console.log(`${name}: ${nanoseconds.toFixed(0)} ns a call${sum === 0 ? ', no price' : ''}`)
}

function bought(provider: string, model: string, usage: Bought['usage']): Bought {
  return { provider, models: [model, model], workspaceId: 'w', usage }
}
