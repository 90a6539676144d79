import type { Answer } from './bodies/answer.ts'
import type { Call } from './call.ts'

/** Goes on to the next stage. The argument is a fork, for a stage that makes attempts; by default the call itself. */
export type Next = (call?: Call) => Promise<Answer>

/** One link of the chain. It wraps the next one: on the way in before `next`, on the way out after it. */
export interface Stage {
  /** Unique in the chain. */
  readonly name: string
  /** May call `next` once for each fork of the call (retries, fallbacks). Any other stage may call it once. */
  readonly attempts?: true
  /** Endpoints whose routes go through it. Absent: all. */
  readonly endpoints?: readonly string[]
  /** Throws a catalogue error to refuse; anything else that it throws is answered as `internal_error`. */
  run(call: Call, next: Next): Promise<Answer>
}

export type Pipeline = (call: Call) => Promise<Answer>

/** The stage before `stage` called `next` again: the answer would be paid for twice. */
export class NextCalledTwice extends Error {
  constructor(stage: string) {
    super(`stage '${stage}' was entered twice for the same call: the stage before it called next more than once`)
    this.name = 'NextCalledTwice'
  }
}

/** Composes the chain once, outermost stage first. The last stage answers; when it calls `next`, that is a fault. */
export const composePipeline = (stages: readonly Stage[]): Pipeline => {
  let inner: Pipeline = () => Promise.reject(new Error('the last stage of the chain called next'))
  for (let index = stages.length - 1; index >= 0; index--) {
    const stage = stages[index]
    if (stage !== undefined) inner = wrap(stage, index, inner)
  }
  return inner
}

const wrap = (stage: Stage, depth: number, inner: Pipeline): Pipeline => {
  const mayFork = stage.attempts === true
  return (call) => {
    if (!call.enter(depth, mayFork)) return Promise.reject(new NextCalledTwice(stage.name))
    const next: Next = (fork) => inner(fork ?? call)
    // An async stage never throws synchronously; a plain function might, and must not tear the chain.
    try {
      return stage.run(call, next)
    } catch (thrown) {
      return Promise.reject(thrown)
    }
  }
}
