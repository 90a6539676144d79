import { check, nearest } from '../../core/json/check.ts'
import { isRecord } from '../../core/json/record.ts'
import { compileQuery } from './conditions.ts'
import { type ConfigNode, type ConfigStrategy, StrategyFields } from './fields.ts'
import { type Findings, itemAt, keyAt } from './findings.ts'
import { canonicalFields, canonicalInner, type Shape } from './keys.ts'

const STRATEGY_SHAPE: Shape = { conditions: [{}], sticky: {}, cb_config: {} }

/**
 * Reads how a node chooses among its targets, and looks whether it can.
 * @param nodePath where the node stands
 * @param targets the node's own, as far as they could be read; absent when it has none
 */
export const readStrategy = (
  value: unknown,
  nodePath: string,
  targets: readonly ConfigNode[] | undefined,
  findings: Findings,
): ConfigStrategy | undefined => {
  const path = keyAt(nodePath, 'strategy')
  if (!isRecord(value)) {
    findings.add(path, 'must be an object')
    return undefined
  }
  const fields = canonicalInner(canonicalFields(value, path, findings), STRATEGY_SHAPE, path, findings)
  const checked = check(StrategyFields, fields)
  if (!checked.ok) {
    for (const violation of checked.violations) findings.add(keyAt(path, violation.path), violation.message)
    return undefined
  }
  const strategy = checked.value
  const { mode, cb_config: breaker } = strategy
  if (targets === undefined && mode !== 'single') findings.add(path, `of mode '${mode}' needs \`targets\``)
  if (breaker?.failure_threshold === undefined && breaker?.failure_threshold_percentage === undefined && breaker) {
    findings.add(keyAt(path, 'cb_config'), 'needs `failure_threshold` or `failure_threshold_percentage`')
  }
  const targetsPath = keyAt(nodePath, 'targets')
  if (mode === 'loadbalance') findNoWeight(targets ?? [], targetsPath, findings)
  if (mode === 'conditional') findConditions(strategy, path, targets ?? [], targetsPath, findings)
  return strategy
}

const findNoWeight = (targets: readonly ConfigNode[], path: string, findings: Findings): void => {
  if (targets.length > 0 && targets.every(({ weight }) => weight === 0)) {
    findings.add(path, 'all have weight 0, so none can be chosen')
  }
}

const findConditions = (
  { conditions = [], default: otherwise }: ConfigStrategy,
  path: string,
  targets: readonly ConfigNode[],
  targetsPath: string,
  findings: Findings,
): void => {
  const names = new Map<string, number>()
  targets.forEach(({ name }, index) => {
    if (name === undefined) return
    const first = names.get(name) ?? index
    names.set(name, first)
    if (first === index) return
    findings.add(
      keyAt(itemAt(targetsPath, index), 'name'),
      `is the name of ${findings.written(itemAt(targetsPath, first))} too`,
    )
  })
  const findUnknown = (name: string, at: string): void => {
    if (names.has(name)) return
    findings.add(at, () => {
      const near = nearest(name, [...names.keys()])
      return `is the name of no target here${near === undefined ? '' : `; did you mean '${near}'?`}`
    })
  }
  if (conditions.length === 0) findings.add(keyAt(path, 'conditions'), 'must hold at least one condition')
  conditions.forEach(({ query, then }, index) => {
    const at = itemAt(keyAt(path, 'conditions'), index)
    compileQuery(query, (inner, message) => findings.add(keyAt(keyAt(at, 'query'), inner), message))
    findUnknown(then, keyAt(at, 'then'))
  })
  if (otherwise === undefined)
    findings.add(keyAt(path, 'default'), 'is needed: the name of a target for all other calls')
  else findUnknown(otherwise, keyAt(path, 'default'))
}
