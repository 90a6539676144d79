import { chat } from './chat.ts'
import type { Experiment } from './experiment.ts'
import { flatness } from './flatness.ts'
import { openStreams, stalledReaders } from './held-streams.ts'
import { keys } from './keys.ts'
import { latency } from './latency.ts'
import { bodies, connections, policies } from './matrix.ts'
import { memory } from './memory.ts'
import { pace } from './pace.ts'
import { processes } from './processes.ts'
import { start } from './start.ts'
import { streams } from './streams.ts'

/** In the order they run and are shown. */
export const EXPERIMENTS: readonly Experiment[] = [
  chat,
  pace,
  latency,
  flatness,
  connections,
  bodies,
  policies,
  keys,
  streams,
  openStreams,
  stalledReaders,
  memory,
  processes,
  start,
]
