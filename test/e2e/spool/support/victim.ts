/**
 * A process to be killed: writes calls into a spool as fast as it may, and says the id of each once it is written. Ids of calls
 * that it has begun and not ended are said as well.
 * `victim.ts FOLDER STORE CALLS_A_SECOND` with the store as JSON; with a rate of 0 it stores what is left, says `stored`, and ends.
 */
import { writeSync } from 'node:fs'
import type { StoreAddress } from '../../../../src/records/flusher/messages.ts'
import { createRecorder } from '../../../../src/records/recorder.ts'
import { Spool } from '../../../../src/records/spool/spool.ts'
import { listFolders } from '../../../../src/records/spool/spool-folder.ts'
import { chargeOf, endedCall, openedCall } from '../../../support/spool/process.ts'
import { ledgerBeside } from './stored.ts'

const [root = '', store = '', rate = '0'] = process.argv.slice(2)
const address: StoreAddress = JSON.parse(store)
const say = (text: string): void => {
  writeSync(1, `${text}\n`)
}
const complain = (message: string): void => {
  writeSync(2, `${message}\n`)
}

const spool = new Spool({
  root,
  settings: { maxBytes: 2 * 1024 ** 3, durability: 'group', onFull: 'drop' },
  store: address,
  ledger: ledgerBeside(address),
  onLedger: () => undefined,
  rules: { fallback: { days: 30, bodyDays: 7 }, workspaces: new Map(), metadataKeys: new Map() },
  clock: { now: Date.now, monotonicMs: () => performance.now() },
  log: { info: () => undefined, warn: () => undefined, error: complain },
  segmentBytes: 512 * 1024,
})
const recorder = createRecorder(
  spool,
  { prepare: () => undefined, seal: () => crypto.getRandomValues(new Uint8Array(1_000)) },
  { announce: () => () => undefined, spent: () => undefined },
)

if (Number(rate) === 0) {
  const isStored = await spool.stored(30_000)
  // A folder that a dead process left goes once it is stored whole; one is this process's own.
  for (let look = 0; look < 300 && listFolders(root).length > 1; look++) await Bun.sleep(100)
  await spool.close()
  say(isStored ? 'stored' : 'not stored')
  process.exit(0)
}

// Asked to stop it does so properly: all that it has said is stored then.
let isStopping = false
process.on('SIGTERM', () => {
  isStopping = true
})

const PAUSE_MS = 4
const perRound = Math.max(1, Math.round((Number(rate) * PAUSE_MS) / 1_000))
let counter = 0
while (!isStopping) {
  for (let index = 0; index < perRound; index++) {
    const id = Bun.randomUUIDv7()
    const now = { time: Date.now() * 1_000, organisationId: 'o', workspaceId: 'w' }
    recorder.open(openedCall(id, now))
    counter++
    // Some are cut off half-way.
    if (counter % 10 === 5) {
      say(`opened ${id}`)
      continue
    }
    const total = Math.floor(Math.random() * 1e12)
    const record = endedCall(id, {
      ...{ ...now, hasBodies: true, inputTokens: 7, outputTokens: 9 },
      cost: { total, input: total, output: 0, cache: 0, other: 0 },
      charges: [chargeOf(total), chargeOf(total, { budgetId: 'other', group: `group-${counter % 3}` })],
    })
    const isTriedTwice = counter % 10 === 0
    const attempts = isTriedTwice
      ? [1, 2].map((attempt) => ({
          ...{ ...record, id: Bun.randomUUIDv7(), kind: 'attempt' as const, attempt },
          // The call itself tells of them.
          charges: undefined,
        }))
      : []
    recorder.close([record, ...attempts], new Map([[id, [{ side: 'request' as const, headers: {} }]]]))
    say(`ended ${id} ${attempts.map((each) => each.id).join(' ')}`.trim())
  }
  await Bun.sleep(PAUSE_MS)
}
await spool.close(20_000)
process.exit(0)
