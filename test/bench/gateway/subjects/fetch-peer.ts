import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fetchesBy } from '../process/fetch-command.ts'

/** The newest when this was written, named so that two runs compare the same. */
export const PEER_PACKAGE = '@portkey-ai/gateway'
export const PEER_VERSION = '1.15.2'

/**
 * Newer versions of its web server break every stream of the peer (https://github.com/Portkey-AI/gateway/issues/1389, read
 * 2026-11-21). It asks for `^1.3.3` and would be given the newest: that would not be a fair comparison.
 */
const OVERRIDES = { '@hono/node-server': '1.14.1' }

const FETCH_DEADLINE_MS = 120_000

export interface Peer {
  /** Its start script. */
  readonly script: string
}

/** Why there is none to compare with. */
export interface NoPeer {
  readonly reason: string
}

/**
 * The peer gateway, in a folder of its own below `cache`: it is no dependency of the product. Fetched from the registry with
 * Bun's own client unless it is there already, or `mayFetch` says no.
 */
export const fetchPeer = async (cache: string, mayFetch: boolean): Promise<Peer | NoPeer> => {
  const folder = join(cache, `peer-${PEER_VERSION}-${OVERRIDES['@hono/node-server']}`)
  const script = join(folder, 'node_modules', PEER_PACKAGE, 'build', 'start-server.js')
  if (existsSync(script)) return { script }
  if (!mayFetch) return { reason: 'not fetched yet: `bun run bench` fetches it' }
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  // Or the client would look for a package further up, and find this repository.
  await writeFile(
    join(unfinished, 'package.json'),
    JSON.stringify({ name: 'peer', private: true, overrides: OVERRIDES }),
  )
  const isMade = await fetchesBy({
    name: 'bun add',
    command: [process.execPath, 'add', '--exact', '--ignore-scripts', `${PEER_PACKAGE}@${PEER_VERSION}`],
    folder: unfinished,
    deadlineMs: FETCH_DEADLINE_MS,
  })
  const fetched = join(unfinished, 'node_modules', PEER_PACKAGE, 'build', 'start-server.js')
  if (!isMade || !existsSync(fetched)) return { reason: 'could not be fetched from the registry' }
  await mkdir(dirname(folder), { recursive: true })
  await rename(unfinished, folder)
  return { script }
}
