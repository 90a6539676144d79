import { readFileSync } from 'node:fs'

/** Milliseconds between two looks. */
const LOOK_MS = 250

/** Scripts of package.json that start a gateway, and what `npx` calls itself. */
const SCRIPTS: ReadonlySet<string> = new Set(['start', 'weir', 'npx'])

/** Set by every package runner for what it starts. */
const MARK = 'npm_lifecycle_event'

/**
 * Calls `ended` once when a process between this one and the package runner that started it is gone. npm passes a signal on to its
 * shell alone, which dies of it: without this `npx bun start` would end and leave the gateway behind. Looks at nothing when
 * no runner started it; without `/proc` only at its parent.
 * @param event what the runner says that it runs: `npm_lifecycle_event`
 */
export const onRunnerEnd = (event: string | undefined, ended: () => void): void => {
  if (!SCRIPTS.has(event ?? '')) return
  const links = linksFrom(process.pid, process.ppid)
  const timer = setInterval(() => {
    if (links.every(({ pid, parent }) => (parentOf(pid) ?? process.ppid) === parent)) return
    clearInterval(timer)
    ended()
  }, LOOK_MS)
  timer.unref()
}

interface Link {
  readonly pid: number
  readonly parent: number
}

/** Up to the runner itself, whose own parent may well leave: it has no mark. */
const linksFrom = (pid: number, parent: number): readonly Link[] => {
  const above = parentOf(parent)
  const link = { pid, parent }
  return above === undefined || above <= 1 || !isMarked(parent) ? [link] : [link, ...linksFrom(parent, above)]
}

/** Undefined when it is gone, or there is no `/proc`. */
const parentOf = (pid: number): number | undefined => {
  // The name stands in brackets and may hold anything; behind it are the state and the parent.
  const [, parent] = /\) \S (\d+)/.exec(read(`/proc/${pid}/stat`)) ?? []
  return parent === undefined ? undefined : Number(parent)
}

const isMarked = (pid: number): boolean => read(`/proc/${pid}/environ`).includes(`${MARK}=`)

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
