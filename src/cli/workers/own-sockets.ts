import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The sockets of this process on a port that it serves, as Linux shows them. */
export interface OwnSockets {
  /** File descriptors of listeners. */
  readonly listeners: readonly number[]
  /** Connections that are open. */
  readonly connections: number
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const DESCRIPTORS = '/proc/self/fd'
/** States of `include/net/tcp_states.h`. */
const ESTABLISHED = '01'
const LISTEN = '0A'

export const ownSockets = (port: number): OwnSockets => {
  const states = statesOn(port)
  const listeners: number[] = []
  let connections = 0
  for (const name of readdirSync(DESCRIPTORS)) {
    const state = states.get(inodeOf(name))
    if (state === LISTEN) listeners.push(Number(name))
    if (state === ESTABLISHED) connections++
  }
  return { listeners, connections }
}

/** State of each socket of this machine with the port as its own, by inode. */
const statesOn = (port: number): ReadonlyMap<string, string> => {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const states = new Map<string, string>()
  for (const table of TABLES) {
    for (const line of lines(table)) {
      // sl local_address rem_address st tx:rx tr:tm retrnsmt uid timeout inode
      const [, local = '', , state = '', , , , , , inode = ''] = line.trim().split(/\s+/)
      if (local.endsWith(suffix)) states.set(inode, state)
    }
  }
  return states
}

/** None of a machine without IPv6. */
const lines = (table: string): readonly string[] => {
  try {
    return readFileSync(table, 'latin1').split('\n').slice(1)
  } catch {
    return []
  }
}

const inodeOf = (descriptor: string): string => {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${DESCRIPTORS}/${descriptor}`))?.[1] ?? ''
  } catch {
    // Closed since it was listed.
    return ''
  }
}
