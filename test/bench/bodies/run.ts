/**
 * `bun run bench:bodies`: passes a gigabyte each way and through the store of files, 25 MB of sound to be transcribed and a minute of speech, and prints what the gateway held meanwhile as a table in
 * Markdown.
 */
import { FILE_WAYS, SOUND_WAYS, startWorld, WAYS, type Way } from './measure.ts'

const BYTES = 1_000_000_000
const UPLOADED_SOUND_BYTES = 25_000_000
/** A minute of PCM at 24 kHz with 16 bits, as OpenAI's speech has. */
const SPEECH_BYTES = 60 * 24_000 * 2
const WARM_UP_BYTES = 200_000_000

const world = await startWorld()
process.stdout.write(
  '| way | bytes | s | MB/s | idle, MB | peak, MB | above idle, MB |\n| --- | --- | --- | --- | --- | --- | --- |\n',
)
const soundBytes = (way: Way): number => (way === 'speech' ? SPEECH_BYTES : UPLOADED_SOUND_BYTES)
const lanes: readonly (readonly [Way, number])[] = [
  ...[...WAYS, ...FILE_WAYS].map((way) => [way, BYTES] as const),
  ...SOUND_WAYS.map((way) => [way, soundBytes(way)] as const),
]
for (const way of [...WAYS, ...FILE_WAYS]) await world.pass(way, WARM_UP_BYTES)
for (const way of SOUND_WAYS) await world.pass(way, soundBytes(way))
for (const [way, bytesToPass] of lanes) {
  // The collector has had its time: what is held at rest is that of a gateway that has worked.
  await Bun.sleep(1_000)
  const { bytes, seconds, idleMb, peakMb } = await world.pass(way, bytesToPass)
  const rate = bytes / 1e6 / seconds
  process.stdout.write(
    `| ${way} | ${bytes} | ${seconds.toFixed(2)} | ${rate.toFixed(0)} | ${idleMb.toFixed(0)} | ${peakMb.toFixed(0)} | ${(peakMb - idleMb).toFixed(0)} |\n`,
  )
}
await world.close()
