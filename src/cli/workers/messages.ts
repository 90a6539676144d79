import type { Family } from '../../observe/metrics/registry.ts'
import type { CreatedKeys } from '../../store/bootstrap.ts'

/** What a worker is told when it is started, in a variable: it needs it before the first message. */
export interface WorkerRole {
  /** From 1 on; in every line of its log. */
  readonly id: number
  /** Workers there are. */
  readonly of: number
  /** What a person looks at: its own output goes to the supervisor. */
  readonly terminal: { readonly out: boolean; readonly error: boolean }
}

/** Variable that a supervisor sets for what it starts. */
export const ROLE_VARIABLE = 'WEIR_WORKER'

/** What the supervisor tells a worker. */
export type ToWorker =
  /** Take calls. */
  | { readonly kind: 'listen'; readonly host: string; readonly port: number }
  /** Have the kernel bring new connections to these listeners alone, by their place; none: to all. */
  | { readonly kind: 'steer'; readonly places: readonly number[] }
  /** Another took over: close each connection with its next answer. */
  | { readonly kind: 'retire' }
  /** End what is left, and go. */
  | { readonly kind: 'leave' }
  /** Tell your numbers. */
  | { readonly kind: 'count' }
  /** The numbers of all that were asked for. */
  | { readonly kind: 'numbers'; readonly families: readonly Family[] }

/** What a worker tells the supervisor. */
export type FromWorker =
  /** All stands; the first keys, when it has made them. */
  | {
      readonly kind: 'ready'
      readonly created?: CreatedKeys
      readonly hasMock: boolean
      readonly stages: readonly string[]
    }
  | { readonly kind: 'listening' }
  | { readonly kind: 'steered'; readonly done: boolean }
  /** Retired, and nobody is connected any more. */
  | { readonly kind: 'unused' }
  /** Its listener is closed. */
  | { readonly kind: 'left' }
  /** Its own numbers. */
  | { readonly kind: 'counted'; readonly families: readonly Family[] }
  /** Somebody reads the metrics: what are those of all? */
  | { readonly kind: 'ask' }

export type MessageOf<Message extends { readonly kind: string }, Kind extends Message['kind']> = Extract<
  Message,
  { readonly kind: Kind }
>
