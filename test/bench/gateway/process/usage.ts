import { readdirSync, readFileSync } from 'node:fs'
import { type ProcessRow, parsePsLines, parseStat, treeOf } from './rows.ts'

/** What a process and its children have used. */
export interface Usage {
  /** User and system time since its start. Microseconds. */
  readonly cpuUs: number
  /** Resident memory now. Bytes. */
  readonly rssBytes: number
}

/** By the account of the operating system: `/proc` where there is one, else `ps`. @throws Error when it does not run */
export const usageOf = (pid: number): Usage => {
  const tree = treeOf(pid, readRows())
  if (tree.length === 0) throw new Error(`Process ${pid} does not run any more`)
  return {
    cpuUs: tree.reduce((sum, { cpuUs }) => sum + cpuUs, 0),
    rssBytes: tree.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
  }
}

const readRows = (): ProcessRow[] => (process.platform === 'linux' ? readProc() : readPs())

const readProc = (): ProcessRow[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const row = parseStat(readFileSync(`/proc/${name}/stat`, 'utf8'), PAGE_BYTES)
      return row === undefined ? [] : [row]
    } catch {
      // It ended between the two looks.
      return []
    }
  })

const readPs = (): ProcessRow[] => {
  const { stdout } = Bun.spawnSync(['ps', '-A', '-o', 'pid=,ppid=,rss=,time='])
  return parsePsLines(stdout.toString())
}

const readPageBytes = (): number => {
  const { stdout } = Bun.spawnSync(['getconf', 'PAGESIZE'])
  return Number(stdout.toString()) || 4096
}

const PAGE_BYTES = readPageBytes()
