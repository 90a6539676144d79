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
  /** Calls the listener when a second signal ends the process at once. */
  onForcedEnd?(listener: () => void): void
  /** Command line that starts this program again, up to its arguments. Absent: it cannot be. */
  readonly program?: readonly string[]
  /** The way to the process that started this one as a worker. */
  readonly supervisor?: SupervisorChannel
}

/** Messages go both ways, in their order. */
export interface SupervisorChannel {
  /** Resolves when it is out, or cannot be. */
  send(message: unknown): Promise<void>
  onMessage<Message>(listener: (message: Message) => void): void
  /** Calls the listener when the other side is gone, also when it is already. */
  onEnd(listener: () => void): void
}

/** Exit code of a command. */
export type ExitCode = 0 | 1 | 2
