import type { ConfigNode } from './fields.ts'
import { type Findings, itemAt, keyAt } from './findings.ts'

/** Levels of targets below the root, at most. */
export const MAX_DEPTH = 10

/** Targets of the root, and of one that chooses by conditions (behaviour reference, section 2.1). */
const MAX_ROOT_TARGETS = 100
const MAX_CONDITIONAL_TARGETS = 1_000

/** Targets below one target of the root, over all levels. */
const MAX_NESTED_TARGETS = 50

/** Targets of a whole config: what can be read in a moment, as nothing else runs meanwhile. */
export const MAX_TARGETS = 5_000

/** Levels of objects and lists, parameters included: more than any request has, and few enough for the stack. */
const MAX_VALUE_DEPTH = 100

/** Values of a whole config, parameters included. */
const MAX_VALUES = 100_000

export const findCounts = ({ targets = [], strategy }: ConfigNode, findings: Findings): void => {
  const most = strategy?.mode === 'conditional' ? MAX_CONDITIONAL_TARGETS : MAX_ROOT_TARGETS
  if (targets.length > most) findings.add('targets', `are more than ${most}`)
  targets.forEach((target, index) => {
    if (countBelow(target) <= MAX_NESTED_TARGETS) return
    findings.add(keyAt(itemAt('targets', index), 'targets'), `are more than ${MAX_NESTED_TARGETS}, over all levels`)
  })
}

const countBelow = ({ targets = [] }: ConfigNode): number =>
  targets.reduce((total, target) => total + 1 + countBelow(target), 0)

/** Patterns of the conditions of a whole config. */
const MAX_PATTERNS = 1_000

/** What the value has too much of, if anything. Looked at before anything else walks through it. */
export const findExcess = (value: unknown): string | undefined => {
  let level = [value]
  let values = 1
  let patterns = 0
  for (let depth = 0; depth < MAX_VALUE_DEPTH; depth++) {
    const inner = level.filter((each) => typeof each === 'object' && each !== null)
    patterns += inner.filter((each) => Object.hasOwn(each, '$regex')).length
    level = inner.flatMap((each): unknown[] => Object.values(each))
    values += level.length
    if (values > MAX_VALUES) return 'is too large, or nested too deep'
    if (patterns > MAX_PATTERNS) return `has more than ${MAX_PATTERNS} conditions with \`$regex\``
    if (level.length === 0) return undefined
  }
  return 'is too large, or nested too deep'
}
