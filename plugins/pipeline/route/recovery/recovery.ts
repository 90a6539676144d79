import type { Answer, Call } from '#kit'
import type { StreamRecovery } from '#kit/plan'

/** What a stream needs to go on after the target it comes from has broken off. */
export interface Recovery {
  /** The answer of the first target that began one; its body is a stream. */
  readonly answer: Answer
  readonly mode: Exclude<StreamRecovery, 'error'>
  readonly call: Call
  /**
   * The answer of a target that takes over after `error`. The attempt before is ended; what it used stays on the bill when
   * the mode is `continue`, as the client has a part of it.
   * @param text what the target is asked to go on from; one that refuses that is asked once more without it
   * @returns undefined when no target takes over after such an error
   * @throws what the last of them failed with, when all that could take over failed
   */
  nextTarget(error: unknown, text?: string): Promise<TakenOver | undefined>
  /** Whether a silence of the target that answers now is as good as a break: while the stream could go on elsewhere. */
  mindSilence(minds: boolean): void
}

export interface TakenOver {
  readonly answer: Answer
  /** What the answer may repeat of the text; absent when the target was not asked to go on from it. */
  readonly echo?: string | undefined
}

export type Recover = (recovery: Recovery) => Answer | Promise<Answer>
