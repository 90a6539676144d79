import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { StoreAddress } from '../../../src/records/flusher/messages.ts'
import { openReader } from '../../../src/records/open-reader.ts'
import type { RecordReader } from '../../../src/records/store.ts'
import { type PrivateDatabase, privateDatabase } from '../../support/services.ts'
import { newRoot } from '../../support/spool/process.ts'
import { killRounds, type Said, storeWhatIsLeft } from './support/kill-rounds.ts'
import { differences, faultsOf } from './support/stored.ts'

/** Deaths in all. `KILL_ROUNDS=1000` for the long run. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 200)
/** Chains of processes side by side, each with a folder of its own. */
const LANES = 4
const LONGEST_MS = 60_000 + ROUNDS * 500

let database: PrivateDatabase | undefined
let store: StoreAddress
let reader: RecordReader
let folders: ReturnType<typeof newRoot>[]

const start = async (kind: 'sqlite' | 'postgres'): Promise<void> => {
  folders = Array.from({ length: LANES }, newRoot)
  database = kind === 'postgres' ? await privateDatabase() : undefined
  store =
    database === undefined
      ? { kind: 'sqlite', folder: join(folders[0]?.folder ?? '', 'records') }
      : { kind: 'postgres', url: database.url }
  const rules = { fallback: { days: 30, bodyDays: 7 }, workspaces: new Map() }
  const opened = openReader(store, { rules: () => rules, now: Date.now, warn: () => undefined })
  if (opened === undefined) throw new Error('there is no reader')
  reader = opened
}

afterEach(async () => {
  await reader.close()
  await database?.drop()
  for (const folder of folders) folder.remove()
})

test.each([
  ['postgres', LANES],
  // Nobody else may write to its files.
  ['sqlite', 1],
] as const)(
  'processes that are killed lose no record that was written, and store none twice: %s',
  async (kind, lanes) => {
    await start(kind)
    const rounds = Math.ceil((ROUNDS * lanes) / (LANES + 1) / lanes)
    const said: Said = { ended: new Map(), opened: new Set() }
    await Promise.all(
      folders
        .slice(0, lanes)
        .map(({ root }, lane) =>
          killRounds(
            { root, store, rounds, callsPerSecond: 1_000, random: seeded(lane + 1), longestLifeMs: 250 },
            said,
          ),
        ),
    )
    await Promise.all(folders.slice(0, lanes).map(({ root }) => storeWhatIsLeft(root, store)))
    expect(said.ended.size).toBeGreaterThan(rounds * lanes * 5)
    expect(said.opened.size).toBeGreaterThan((rounds * lanes) / 20)
    expect(await faultsOf(reader, said)).toEqual([])
    // What calls cost was added to their budgets as often: once.
    expect(await differences(reader, store)).toEqual([])
  },
  LONGEST_MS,
)

test('two processes on one data folder have a spool each, and whoever is left stores for the one that died', async () => {
  await start('postgres')
  const said: Said = { ended: new Map(), opened: new Set() }
  const root = folders[0]?.root ?? ''
  const rounds = (lane: number) =>
    killRounds({ root, store, rounds: 5, callsPerSecond: 500, random: seeded(lane), longestLifeMs: 400 }, said)
  await Promise.all([rounds(7), rounds(8), rounds(9)])
  await storeWhatIsLeft(root, store)
  expect(said.ended.size).toBeGreaterThan(50)
  expect(await faultsOf(reader, said)).toEqual([])
  expect(await differences(reader, store)).toEqual([])
}, 60_000)

test('where the disk takes nothing more, records are kept in memory and stored', async () => {
  await start('postgres')
  const said: Said = { ended: new Map(), opened: new Set() }
  const complaints: string[] = []
  await killRounds(
    {
      ...{
        root: folders[0]?.root ?? '',
        store,
        rounds: 1,
        callsPerSecond: 500,
        random: () => 0.5,
        longestLifeMs: 3_000,
      },
      // No segment fits.
      ...{ signal: 'SIGTERM', fileBlocks: 64, onError: (text) => complaints.push(text) },
    },
    said,
  )
  expect(complaints.join('')).toContain('records are kept in memory alone')
  expect(said.ended.size).toBeGreaterThan(50)
  // What was begun and not ended is known to nobody but the process that died.
  expect(await faultsOf(reader, { ended: said.ended, opened: new Set() })).toEqual([])
}, 60_000)

/** The same moments each time. */
const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
