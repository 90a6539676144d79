/** A process as the operating system lists it. */
export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly cpuUs: number
  readonly rssBytes: number
}

/** Linux counts in hundredths of a second towards programs, whatever the kernel itself does. */
const TICK_US = 10_000

/** A line of `/proc/<pid>/stat`. The name of the program is in brackets and may hold anything, brackets too. */
export const parseStat = (line: string, pageBytes: number): ProcessRow | undefined => {
  const nameEnd = line.lastIndexOf(')')
  const fields = line.slice(nameEnd + 2).split(' ')
  const field = (number: number): number => Number(fields[number - 3])
  const row = {
    pid: Number.parseInt(line, 10),
    parent: field(4),
    cpuUs: (field(14) + field(15)) * TICK_US,
    rssBytes: field(24) * pageBytes,
  }
  return Object.values(row).every(Number.isFinite) ? row : undefined
}

/** Lines of `ps -o pid=,ppid=,rss=,time=`: KiB, and `[[days-]hours:]minutes:seconds[.hundredths]`. */
export const parsePsLines = (text: string): ProcessRow[] =>
  text.split('\n').flatMap((line) => {
    const [pid, parent, rssKib, time] = line.trim().split(/\s+/)
    if (time === undefined) return []
    const [clock = '', days = '0'] = time.split('-').toReversed()
    const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400
    return [{ pid: Number(pid), parent: Number(parent), cpuUs: seconds * 1_000_000, rssBytes: Number(rssKib) * 1_024 }]
  })

/** A process and all that came from it. */
export const treeOf = (pid: number, rows: readonly ProcessRow[]): ProcessRow[] => [
  ...rows.filter((row) => row.pid === pid),
  ...rows.filter(({ parent }) => parent === pid).flatMap((child) => treeOf(child.pid, rows)),
]
