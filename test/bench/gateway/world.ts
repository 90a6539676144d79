import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProcessGroup } from '../../support/start-process.ts'
import type { Effort } from './effort.ts'
import { stopAll } from './process/spawn.ts'
import { fetchPeer, type NoPeer, type Peer } from './subjects/fetch-peer.ts'
import { fetchLiteLLM, type LiteLLM } from './subjects/litellm.ts'
import { type Stores, startStores } from './subjects/stores.ts'
import type { Subject } from './subjects/subject.ts'
import { startUpstream, type Upstream } from './upstream/start.ts'

/** Everything that a benchmark runs on. What is asked for twice is started once. */
export interface World {
  readonly effort: Effort
  readonly folder: string
  readonly upstream: Upstream
  stores(): Promise<Stores>
  peer(): Promise<Peer | NoPeer>
  litellm(): Promise<LiteLLM | NoPeer>
  /** The subject of that name, which stays until the end of the experiment. */
  subject(name: string, start: () => Promise<Subject>): Promise<Subject>
  stopSubjects(): Promise<void>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly effort: Effort
  /** Where the peers are kept from run to run. */
  readonly cache: string
  readonly mayFetch: boolean
}

export const openWorld = async ({ effort, cache, mayFetch }: WorldOptions): Promise<World> => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-bench-'))
  // Postgres runs as another user where the benchmark runs as root, and must be able to pass through.
  await chmod(folder, 0o711)
  const group = createProcessGroup()
  const subjects = new Map<string, Promise<Subject>>()
  let stores: Promise<Stores> | undefined
  let peer: Promise<Peer | NoPeer> | undefined
  let litellm: Promise<LiteLLM | NoPeer> | undefined
  const close = async (): Promise<void> => {
    await stopAll()
    await group.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    return {
      effort,
      folder,
      upstream: await startUpstream(),
      stores() {
        stores ??= startStores(group, folder)
        return stores
      },
      peer() {
        peer ??= fetchPeer(cache, mayFetch)
        return peer
      },
      litellm() {
        litellm ??= fetchLiteLLM(cache, mayFetch)
        return litellm
      },
      subject(name, start) {
        const known = subjects.get(name)
        if (known !== undefined) return known
        const started = start()
        subjects.set(name, started)
        return started
      },
      async stopSubjects() {
        const started = await Promise.allSettled(subjects.values())
        subjects.clear()
        await Promise.all(started.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)))
      },
      close,
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
