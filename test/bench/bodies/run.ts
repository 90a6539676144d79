/** `bun run bench:bodies`: passes a gigabyte each way, and prints what the gateway held meanwhile as a table in Markdown. */
import { startWorld, WAYS } from './measure.ts'

const BYTES = 1_000_000_000
const WARM_UP_BYTES = 200_000_000

const world = await startWorld()
process.stdout.write(
  '| way | bytes | s | MB/s | idle, MB | peak, MB | above idle, MB |\n| --- | --- | --- | --- | --- | --- | --- |\n',
)
for (const way of WAYS) await world.pass(way, WARM_UP_BYTES)
for (const way of WAYS) {
  // The collector has had its time: what is held at rest is that of a gateway that has worked.
  await Bun.sleep(1_000)
  const { bytes, seconds, idleMb, peakMb } = await world.pass(way, BYTES)
  const rate = bytes / 1e6 / seconds
  process.stdout.write(
    `| ${way} | ${bytes} | ${seconds.toFixed(2)} | ${rate.toFixed(0)} | ${idleMb.toFixed(0)} | ${peakMb.toFixed(0)} | ${(peakMb - idleMb).toFixed(0)} |\n`,
  )
}
await world.close()
