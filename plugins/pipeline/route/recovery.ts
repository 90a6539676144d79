import type { Answer, Call, StreamRecovery } from '#kit'
import type { Target } from '#kit/slots'

/** What a stream needs to go on after the target it comes from has broken off. */
export interface Recovery {
  /** The answer of the first target that began one; its body is a stream. */
  readonly answer: Answer
  readonly mode: Exclude<StreamRecovery, 'error'>
  readonly call: Call
  /**
   * The answer of a target that takes over after `error`. The attempt before is ended; what it used stays on the bill when
   * the mode is `continue`, as the client has a part of it.
   * @param prepare puts more into each attempt before it begins, such as the text to go on from
   * @returns undefined when no target takes over after such an error
   * @throws what the last of them failed with, when all that could take over failed
   */
  nextTarget(error: unknown, prepare?: (attempt: Call, to: Target) => void): Promise<Answer | undefined>
}

export type Recover = (recovery: Recovery) => Answer | Promise<Answer>
