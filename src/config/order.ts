import { nearest } from '../core/json/check.ts'
import type { Stage } from '../core/pipeline.ts'
import type { Placement } from '../kit/plugin.ts'
import { ConfigError } from './config-error.ts'

/**
 * The default order of the chain, outermost first. A name whose plugin does not run, or is not built yet, is passed
 * over, but keeps its place. A test spells this list out.
 */
export const STAGE_ORDER = [
  'logging',
  'auth',
  'mcp-tools',
  'prompt',
  'responses',
  'files',
  'batches',
  'mcp',
  'config',
  'rate-limit',
  'route',
  'guardrails',
  'cache',
  'target-limit',
  'transform',
  'provider-call',
] as const

/** Stages without which nothing would be safe, or nothing would be answered. */
export const REQUIRED_STAGES = ['auth', 'config', 'route', 'transform', 'provider-call'] as const

/** A stage that runs counts on the other one: budgets hear from `logging` what calls have cost, and would hold nothing without it. */
export const NEEDED_STAGES: readonly (readonly [stage: string, needs: string])[] = [['rate-limit', 'logging']]

export interface PlacedStage {
  readonly stage: Stage
  /** Where it comes from: `built-in`, a path or a package. */
  readonly origin: string
  readonly plugin: string
  readonly placement: Placement
}

/**
 * Puts the stages of all plugins in order: known names by the default order, the others right before or after the stage
 * they name.
 * @throws ConfigError for a double name, a stage without a place, an unknown name, or stages that wait for each other.
 */
export const orderStages = (stages: readonly PlacedStage[]): readonly PlacedStage[] => {
  const byName = new Map<string, PlacedStage>()
  for (const placed of stages) {
    const other = byName.get(placed.stage.name)
    if (other !== undefined) {
      throw new ConfigError(`stage '${placed.stage.name}' is brought by both ${other.origin} and ${placed.origin}`)
    }
    byName.set(placed.stage.name, placed)
  }
  const ordered: PlacedStage[] = []
  for (const name of STAGE_ORDER) {
    const placed = byName.get(name)
    if (placed !== undefined && !isPlaced(placed)) ordered.push(placed)
  }
  let waiting = stages.filter((placed) => !ordered.includes(placed))
  while (waiting.length > 0) {
    const stillWaiting = waiting.filter((placed) => !insert(ordered, placed, byName))
    if (stillWaiting.length === waiting.length) {
      const names = waiting.map(({ stage }) => stage.name).join(', ')
      throw new ConfigError(`the places of these stages depend on each other: ${names}`)
    }
    waiting = stillWaiting
  }
  return ordered
}

const isPlaced = ({ placement }: PlacedStage): boolean =>
  placement.before !== undefined || placement.after !== undefined

/** @returns false while the stage it names has no place itself. */
const insert = (ordered: PlacedStage[], placed: PlacedStage, byName: ReadonlyMap<string, PlacedStage>): boolean => {
  const { stage, placement, origin } = placed
  const { before, after } = placement
  if (before !== undefined && after !== undefined) {
    throw new ConfigError(`stage '${stage.name}' (${origin}) has both 'before' and 'after'; keep one`)
  }
  const anchor = before ?? after
  if (anchor === undefined) {
    throw new ConfigError(
      `stage '${stage.name}' (${origin}) has no place in the chain: say 'before' or 'after' a stage`,
    )
  }
  if (!byName.has(anchor)) {
    const near = nearest(anchor, [...byName.keys()])
    const hint = near === undefined ? `stages are: ${[...byName.keys()].join(', ')}` : `did you mean '${near}'?`
    throw new ConfigError(`stage '${stage.name}' (${origin}) is placed by '${anchor}', which does not run; ${hint}`)
  }
  const at = ordered.findIndex((other) => other.stage.name === anchor)
  if (at === -1) return false
  ordered.splice(before === undefined ? at + 1 : at, 0, placed)
  return true
}
