/**
 * `bun run bench:spool [--postgres=URL]`: what a record costs on the thread of the calls, in microseconds of its processor time,
 * and how many a second the worker brings into each store. Records are those of real calls, of some 60 fields.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CallRecord, OpenedCall, RecordedMessage } from '../../../src/core/records.ts'
import type { StoreAddress } from '../../../src/records/flusher/messages.ts'
import { createRecorder } from '../../../src/records/recorder.ts'
import { createSeals } from '../../../src/records/seals.ts'
import { Spool } from '../../../src/records/spool/spool.ts'
import { sampleRecords } from '../../support/records/samples.ts'

const CALLS = 20_000
const ROUNDS = 5
/** Calls between two turns of the event loop, as under load. */
const TURN = 50

const { values } = parseArgs({ options: { postgres: { type: 'string' } } })
const seals = createSeals({ derive: () => ({ version: 1, bytes: crypto.getRandomValues(new Uint8Array(32)) }) })

const run = async (): Promise<void> => {
  const samples = sampleRecords(1_000)
  const workspaces = new Map(samples.map((record) => [record.workspaceId, record.organisationId]))
  for (const [workspaceId, organisationId] of workspaces) await seals.prepare(organisationId, workspaceId)
  const nowhere: StoreAddress = { kind: 'postgres', url: 'postgres://nobody@127.0.0.1:1/nothing' }

  console.log('On the thread of the calls, µs a call (open, record, JSON, checksum):')
  for (const bytes of [0, 4_096]) {
    const figures: number[] = []
    for (let round = 0; round < ROUNDS; round++)
      figures.push(await withSpool(nowhere, (spool) => cost(spool, samples, bytes)))
    const best = Math.min(...figures)
    const middle = figures.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? 0
    const what = bytes === 0 ? 'without bodies' : `with ${bytes} bytes of bodies, sealed`
    console.log(`  ${what}: ${middle.toFixed(2)} (median of ${ROUNDS}), ${best.toFixed(2)} (best)`)
  }

  console.log('Into the store, records a second:')
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-records-'))
  await throughput({ kind: 'sqlite', folder }, samples)
  rmSync(folder, { recursive: true, force: true })
  if (values.postgres !== undefined) await throughput({ kind: 'postgres', url: values.postgres }, samples)
}

const withSpool = async <T>(store: StoreAddress, use: (spool: Spool) => Promise<T>): Promise<T> => {
  const root = mkdtempSync(join(tmpdir(), 'weir-bench-spool-'))
  const silent = (): void => undefined
  const spool = new Spool({
    root,
    settings: { maxBytes: 8 * 1024 ** 3, durability: 'group', onFull: 'drop' },
    store,
    ledger: { kind: 'sqlite', path: join(root, 'budgets.db') },
    onLedger: silent,
    rules: { fallback: { days: 30, bodyDays: 7 }, workspaces: new Map(), metadataKeys: new Map() },
    clock: { now: Date.now, monotonicMs: () => performance.now() },
    log: { info: silent, warn: silent, error: console.error },
  })
  try {
    // The worker makes the first segments.
    await Bun.sleep(500)
    return await use(spool)
  } finally {
    await spool.close(100)
    rmSync(root, { recursive: true, force: true })
  }
}

const cost = async (spool: Spool, samples: readonly CallRecord[], bytes: number): Promise<number> => {
  const recorder = createRecorder(spool, seals, { announce: () => () => undefined, spent: () => undefined })
  const messages = messagesOf(bytes)
  const write = (record: CallRecord): void => {
    recorder.open(openedBy(record))
    recorder.close([record], messages === undefined ? undefined : new Map([[record.id, messages]]))
  }
  for (let index = 0; index < 2_000; index++) write(samples[index % samples.length] as CallRecord)
  await Bun.sleep(100)
  const idleUs = await spent(() => undefined)
  const busyUs = await spent((index) => write(samples[index % samples.length] as CallRecord))
  const { dropped } = spool.stats()
  if (dropped.record > 0) throw new Error(`${dropped.record} records were dropped: the figure is worth nothing`)
  return (busyUs - idleUs) / CALLS
}

/** Processor time of so many calls, with the turns of the event loop between them. */
const spent = async (call: (index: number) => void): Promise<number> => {
  const before = threadUs()
  for (let done = 0; done < CALLS; done += TURN) {
    for (let index = done; index < done + TURN; index++) call(index)
    await Bun.sleep(1)
  }
  return threadUs() - before
}

/** Processor time of this thread: other processes and threads do not count. */
const threadUs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

const openedBy = (record: CallRecord): OpenedCall => {
  const { id, time, organisationId, workspaceId, apiKeyId, traceId, method, path, endpoint } = record
  const { requestType, stream, provider, model, metadata } = record
  return {
    ...{ id, time, organisationId, workspaceId, apiKeyId, traceId, method, path, endpoint },
    ...{ requestType, stream, provider, model, metadata },
  }
}

const messagesOf = (bytes: number): readonly RecordedMessage[] | undefined => {
  if (bytes === 0) return undefined
  const body = new Uint8Array(bytes / 2).fill(120)
  const headers = { 'content-type': 'application/json' }
  return [
    { side: 'request', headers, method: 'POST', body },
    { side: 'answer', headers, status: 200, body },
  ]
}

const throughput = async (store: StoreAddress, samples: readonly CallRecord[]): Promise<void> => {
  const count = 50_000
  const seconds = await withSpool(store, async (spool) => {
    const recorder = createRecorder(spool, seals, { announce: () => () => undefined, spent: () => undefined })
    const startMs = performance.now()
    for (let index = 0; index < count; index++) {
      const record = samples[index % samples.length] as CallRecord
      recorder.close([{ ...record, id: Bun.randomUUIDv7(), time: Date.now() * 1_000 }])
      if (index % 1_000 === 0) await Bun.sleep(1)
    }
    if (!(await spool.stored(120_000))) throw new Error(`not stored in ${store.kind} within two minutes`)
    return (performance.now() - startMs) / 1_000
  })
  console.log(`  ${store.kind}: ${Math.round(count / seconds)}`)
}

await run()
