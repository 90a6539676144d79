/**
 * `STREAMS` calls at once in a process of its own, whose readers take the first piece and then stall. Prints the resident
 * memory of each in KiB, as JSON: while the server is silent, and after it has sent as much as it could. `GO` is the URL that
 * makes it send.
 */
import { nextPiece } from '../../../../src/core/bodies/ready-stream.ts'
import { ask, createClient } from '../../../../src/upstream/http1/test-support/client.ts'

const { STREAMS = '0', UPSTREAM = '', GO = '' } = process.env
const streams = Number(STREAMS)
const client = createClient()

/** Longer than a busy machine takes for all of this. */
const PATIENT = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 }

const open = async () => {
  const { body } = await ask(client, UPSTREAM, { deadlines: PATIENT })
  await nextPiece(body)
  return body
}

/** Resident memory after a collection, once it no longer moves. */
const settled = async (): Promise<number> => {
  let before = 0
  for (let round = 0; round < 10; round++) {
    Bun.gc(true)
    await Bun.sleep(200)
    const now = process.memoryUsage().rss
    if (Math.abs(now - before) < now / 100) return now
    before = now
  }
  return before
}

const perStream = (bytes: number): number => bytes / streams / 1_024

// The first ones also pay for code and pools that all later ones share.
for (const body of await Promise.all(Array.from({ length: streams }, open))) body.cancel()
await Bun.sleep(200)
const idle = await settled()
const bodies = await Promise.all(Array.from({ length: streams }, open))
const silentKib = perStream((await settled()) - idle)
await ask(client, GO, { deadlines: PATIENT })
await Bun.sleep(1_500)
const stalledKib = perStream((await settled()) - idle)
// Whoever comes back gets what waited, and more.
const readBytes = await Promise.all(bodies.map(async (body) => (await nextPiece(body))?.length ?? 0))
for (const body of bodies) body.cancel()
client.close()
console.log(JSON.stringify({ silentKib, stalledKib, resumed: readBytes.filter((bytes) => bytes > 0).length }))
