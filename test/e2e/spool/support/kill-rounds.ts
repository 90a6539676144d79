import { join } from 'node:path'
import type { StoreAddress } from '../../../../src/records/flusher/messages.ts'

const VICTIM = join(import.meta.dir, 'victim.ts')

/** What processes said before they were killed. */
export interface Said {
  /** Calls whose record was written, with the ids of their attempts. */
  readonly ended: Map<string, readonly string[]>
  /** Calls that were begun, and never ended. */
  readonly opened: Set<string>
}

export interface KillOptions {
  readonly root: string
  readonly store: StoreAddress
  readonly rounds: number
  readonly callsPerSecond: number
  /** At least 0 and below 1. */
  readonly random: () => number
  /** A process lives for so long after its first word, at most. Milliseconds. */
  readonly longestLifeMs: number
  /** Default: SIGKILL. */
  readonly signal?: NodeJS.Signals
  /** Blocks that a file may have, by `ulimit`: a disk that takes no more. */
  readonly fileBlocks?: number
  /** Gets what processes complain of. */
  readonly onError?: (text: string) => void
}

/** Starts processes one after the other, each in the folder of the one before, and kills each at a moment of chance. */
export const killRounds = async (options: KillOptions, said: Said): Promise<void> => {
  for (let round = 0; round < options.rounds; round++) await killOne(options, said)
}

const killOne = async (options: KillOptions, said: Said): Promise<void> => {
  const { root, store, callsPerSecond, random, longestLifeMs, signal = 'SIGKILL', fileBlocks, onError } = options
  const command = [process.execPath, VICTIM, root, JSON.stringify(store), String(callsPerSecond)]
  const limited =
    fileBlocks === undefined ? command : ['sh', '-c', `ulimit -f ${fileBlocks}; exec "$@"`, 'sh', ...command]
  const child = Bun.spawn(limited, { stdout: 'pipe', stderr: 'pipe' })
  const complaints = new Response(child.stderr).text()
  const lifeMs = random() * longestLifeMs
  const decoder = new TextDecoder()
  let text = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  for await (const bytes of child.stdout) {
    text += decoder.decode(bytes, { stream: true })
    timer ??= setTimeout(() => child.kill(signal), lifeMs)
  }
  clearTimeout(timer)
  await child.exited
  onError?.(await complaints)
  // The last line may have been cut.
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    const [what, id, ...attempts] = line.split(' ')
    if (id === undefined) continue
    if (what === 'ended') said.ended.set(id, attempts)
    else said.opened.add(id)
  }
}

/** Starts a process that only stores what is left. @throws where it cannot */
export const storeWhatIsLeft = async (root: string, store: StoreAddress): Promise<void> => {
  const child = Bun.spawn([process.execPath, VICTIM, root, JSON.stringify(store), '0'], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const said = await new Response(child.stdout).text()
  const code = await child.exited
  if (code !== 0 || said.trim() !== 'stored') throw new Error(`what is left was not stored: ${code} ${said}`)
}
