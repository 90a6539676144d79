import type { Surroundings } from '../../compose/own-store.ts'

/** What a command may know of the process it runs in. Only `main.ts` makes one from the real process; tests make their own. */
export interface Environment extends Surroundings {
  readonly arguments: readonly string[]
  /** Writes text to standard output; resolves when it is out. */
  out(text: string): Promise<void>
  /** The whole of standard input. */
  readInput(): Promise<string>
  /** Writes text to standard error. */
  error(text: string): void
  /** The one of the two that a person looks at. Absent: none. */
  readonly terminal?: { readonly out: boolean; readonly error: boolean }
  /** Calls the listener for every signal of this name from now on. */
  onSignal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: () => void): void
}

/** Exit code of a command. */
export type ExitCode = 0 | 1 | 2
