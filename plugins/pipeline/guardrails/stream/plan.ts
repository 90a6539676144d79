import type { CompiledCheck, CompiledGuardrail } from '#calls/guardrails/compile'
import type { StreamMode } from '#core/guardrails'
import type { Groups } from '../guardrails-of.ts'

/** A guardrail with some of its checks: those that look at the same at the same time. */
export interface Share {
  /** The guardrail with all of them. */
  readonly of: CompiledGuardrail
  readonly guardrail: CompiledGuardrail
  /** The places of its checks among all. */
  readonly places: readonly number[]
}

export interface Shares {
  readonly all: readonly Share[]
  readonly groups: Groups
}

/** How a stream is looked at: as the strictest of its guardrails wants, each check when it can. */
export interface StreamPlan {
  readonly mode: StreamMode
  /** Characters that are held back. */
  readonly window: number
  /** Characters of the longest text that a check of `parts` refuses or changes. */
  readonly reach: number
  /** Guardrails that hold the stream back, in order. */
  readonly holding: readonly CompiledGuardrail[]
  /** Look at a part of a text before it goes out. */
  readonly parts: Shares
  /** Look at all texts before the last of them goes out. */
  readonly whole: Shares
  /** Look at all texts once they went out. */
  readonly after: Groups
}

/** Characters that are looked at again with each look, at most: a check that reaches further gets all of the text instead. */
const MAX_REACH = 16_384

const known = new WeakMap<Groups, StreamPlan | typeof NOTHING>()
const NOTHING = Symbol('nothing')

/** @returns undefined where nothing is to be looked at */
export const planOf = (groups: Groups): StreamPlan | undefined => {
  const before = known.get(groups)
  if (before !== undefined) return before === NOTHING ? undefined : before
  const plan = groups.some((group) => group.some(hasChecks)) ? planned(groups) : undefined
  known.set(groups, plan ?? NOTHING)
  return plan
}

const planned = (groups: Groups): StreamPlan => {
  const holding = groups.flat().filter((each) => hasChecks(each) && isHolding(each))
  const modes = new Set(holding.map(({ definition }) => definition.stream_mode))
  const mode = modes.has('buffer') ? 'buffer' : holding.length > 0 ? 'window' : 'after'
  const inParts = (each: CompiledGuardrail): ReadonlySet<number> =>
    mode === 'window' && isHolding(each) ? placesInParts(each) : NO_PLACES
  const parts = sharesOf(groups, (each, place) => inParts(each).has(place))
  const windows = holding.map(({ definition }) => definition.stream_window)
  const reaches = parts.all.flatMap(({ guardrail }) => guardrail.output.map(({ prepared }) => prepared.reach ?? 0))
  return {
    mode,
    // What a check refuses or changes is in what is held to its end, before any of it is let out.
    window: mode === 'buffer' ? Infinity : Math.max(0, ...windows, ...reaches),
    reach: Math.max(0, ...reaches),
    holding,
    parts,
    whole: sharesOf(groups, (each, place) => isHolding(each) && !inParts(each).has(place)),
    after: groups.map((group) => group.filter((each) => hasChecks(each) && !isHolding(each))),
  }
}

const NO_PLACES: ReadonlySet<number> = new Set()

const hasChecks = ({ output }: CompiledGuardrail): boolean => output.length > 0

const isHolding = ({ definition }: CompiledGuardrail): boolean =>
  !definition.async && definition.stream_mode !== 'after'

/** Checks that a part of a text is enough for. One that gets what another has left comes after it. */
const placesInParts = ({ output, definition }: CompiledGuardrail): ReadonlySet<number> => {
  const isChain = definition.sequential || definition.type === 'mutator'
  const first = isChain ? output.findIndex((check) => !looksAtParts(check)) : -1
  const candidates = first === -1 ? output : output.slice(0, first)
  return new Set(candidates.flatMap((check, place) => (looksAtParts(check) ? place : [])))
}

const looksAtParts = ({ prepared: { reach } }: CompiledCheck): boolean => reach !== undefined && reach <= MAX_REACH

const sharesOf = (groups: Groups, has: (of: CompiledGuardrail, place: number) => boolean): Shares => {
  const all: Share[] = []
  const shared = groups.map((group) =>
    group.flatMap((of) => {
      const places = of.output.flatMap((_, place) => (has(of, place) ? place : []))
      if (places.length === 0) return []
      const guardrail = { ...of, output: of.output.filter((_, place) => places.includes(place)) }
      all.push({ of, guardrail, places })
      return guardrail
    }),
  )
  return { all, groups: shared }
}
