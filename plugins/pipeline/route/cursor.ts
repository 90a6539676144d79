import { defined, InvalidConfig } from '#kit'
import type { Branch, FallbackBranch, Leaf, PlanNode, StreamRecovery } from '#kit/plan'
import { type ChoiceOptions, choose, isHealthy } from './choose.ts'
import type { Judgement } from './failure.ts'

/** A target, with the branch it hangs on. */
export interface Stop {
  readonly leaf: Leaf
  readonly parent?: Branch
}

/** A branch on the way from the root to the current target. */
interface Frame {
  readonly branch: Branch
  /** Index of the child that the way goes through. */
  child: number
  readonly ignoresHealth: boolean
}

/** A way through a plan, for one call: where to go first, and where to after each failure. */
export class Cursor {
  readonly #options: ChoiceOptions
  readonly #frames: Frame[] = []

  constructor(options: ChoiceOptions) {
    this.#options = options
  }

  /** @throws InvalidConfig when no condition fits and there is no default. */
  start(root: PlanNode): Stop {
    return this.#descend(root)
  }

  /**
   * The target after one that failed: of the nearest fallback that goes on after such a failure.
   * @returns undefined when there is none, so that the failure is the answer
   * @throws InvalidConfig as `start`
   */
  advance(failure: Judgement): Stop | undefined {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const next = this.#after(frame, failure)
      const node = next === undefined ? undefined : frame.branch.children[next]
      if (next !== undefined && node !== undefined) {
        frame.child = next
        return this.#descend(node)
      }
      this.#frames.pop()
    }
    return undefined
  }

  /** Whether `advance` would give a target. */
  canAdvance(failure: Judgement): boolean {
    return this.#frames.some((frame) => this.#after(frame, failure) !== undefined)
  }

  /** Whether an answer that a content filter emptied might be followed by another target. */
  get mindsContent(): boolean {
    return this.#frames.some(({ branch }) => branch.mode === 'fallback' && branch.onContentRefusal)
  }

  /** What becomes of a stream that breaks: as the fallback says that would go on, if it does. Absent without one. */
  get recovery(): { readonly mode: StreamRecovery | undefined } | undefined {
    const branch = this.#successor()
    return branch && { mode: branch.streamRecovery }
  }

  #successor(): Branch | undefined {
    return this.#frames.findLast((frame) => this.#later(frame) !== undefined)?.branch
  }

  #after(frame: Frame, failure: Judgement): number | undefined {
    const { branch } = frame
    return branch.mode === 'fallback' && goesOn(branch, failure) ? this.#later(frame) : undefined
  }

  #later({ branch, child, ignoresHealth }: Frame): number | undefined {
    if (branch.mode !== 'fallback') return undefined
    const { isAvailable } = this.#options
    const later = branch.children.findIndex(
      (node, index) => index > child && (ignoresHealth || isHealthy(node, isAvailable)),
    )
    return later === -1 ? undefined : later
  }

  #descend(from: PlanNode): Stop {
    const { note } = this.#options
    let node = from
    let parent = this.#frames.at(-1)?.branch
    while (node.kind === 'branch') {
      const branch: Branch = node
      const { child, reason, ignoresHealth } = choose(branch, this.#options)
      const chosen = branch.children[child]
      if (chosen === undefined) {
        throw new InvalidConfig('The config has no target.', { param: `${branch.path}.targets` })
      }
      note?.({ path: branch.path, mode: branch.mode, decision: chosen.path, reason })
      this.#frames.push({ branch, child, ignoresHealth })
      parent = branch
      node = chosen
    }
    note?.({ path: node.path, mode: 'target', decision: 'chosen', reason: 'The call is sent here first.' })
    return defined({ leaf: node, parent })
  }
}

/** Whether a fallback goes on after such an end. Content that one model refused is not shown to others unless asked. */
const goesOn = ({ onStatusCodes, onContentRefusal }: FallbackBranch, { status, refusal, ends }: Judgement): boolean => {
  if (ends) return false
  if (refusal === 'content') return onContentRefusal
  return onStatusCodes === undefined ? status < 200 || status > 299 : onStatusCodes.has(status)
}
