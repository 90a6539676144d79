import { defined } from '../../core/defined.ts'
import { check, nearest } from '../../core/json/check.ts'
import { isRecord } from '../../core/json/record.ts'
import type { CheckDirectory } from '../../kit/check.ts'
import { type ConfigNode, NODE_KEYS, NodeFields, type NodeGuardrails } from './fields.ts'
import { Findings, itemAt, keyAt } from './findings.ts'
import { isForwardable } from './forwardable.ts'
import { isGuardrailList } from './guardrail-fields.ts'
import { GuardrailReader } from './guardrail-lists.ts'
import { canonicalFields, canonicalInner, type Shape } from './keys.ts'
import { isSetting, settingText } from './settings.ts'
import { findCounts, findExcess, MAX_DEPTH, MAX_TARGETS } from './size-bounds.ts'
import { readStrategy } from './strategy.ts'

export interface ReadOptions {
  /** Names, in snake_case, of the settings that the running providers take; those of the interface are known anyway. */
  readonly settingNames: ReadonlySet<string>
  /** Checks that guardrails are made of. Absent: whether they exist, and take their parameters, is not looked at. */
  readonly checks?: CheckDirectory
}

/** Fields that say nothing by themselves: a config needs one more. */
const USELESS_ALONE: readonly string[] = ['name', 'weight', 'strategy']

const NODE_SHAPE: Shape = { retry: {}, cache: {} }

/**
 * Reads a config of version 2.0: every field of the interface (contract, section 6), keys in snake_case or camelCase.
 * A name that is not known, a wrong value and a strategy that cannot work are all found at once.
 * @throws InvalidConfig with every violation, by the paths of the config as it was given; never with its values.
 */
export const readCallConfig = (value: unknown, options: ReadOptions): ConfigNode => {
  const findings = new Findings()
  const excess = findExcess(value)
  if (excess !== undefined) findings.add('', excess)
  findings.throwIfAny()
  const reader = new Reader(findings, options)
  const node = reader.node(value, '', 0)
  if (isRecord(value) && Object.keys(value).every((key) => USELESS_ALONE.includes(key))) {
    findings.add(
      '',
      'must say something: a provider, targets with a strategy, retry, cache, a time-out, guardrails or parameters',
    )
  }
  findCounts(node, findings)
  findings.throwIfAny()
  return node
}

class Reader {
  readonly #findings: Findings
  readonly #settingNames: ReadonlySet<string>
  readonly #guardrails: GuardrailReader
  #targetCount = 0

  constructor(findings: Findings, { settingNames, checks }: ReadOptions) {
    this.#findings = findings
    this.#settingNames = settingNames
    this.#guardrails = new GuardrailReader(findings, checks)
  }

  /** What can be read of a node; what cannot is among the findings. */
  node(value: unknown, path: string, depth: number): ConfigNode {
    if (!isRecord(value)) {
      this.#findings.add(path, 'must be an object: a config holds its targets itself and cannot name another config')
      return { settings: {} }
    }
    const { strategy, targets, ...fields } = canonicalFields(value, path, this.#findings)
    const settings: Record<string, string> = {}
    const known: Record<string, unknown> = {}
    const guardrails: { -readonly [List in keyof NodeGuardrails]: NodeGuardrails[List] } = {}
    for (const [name, each] of Object.entries(fields)) {
      if (Object.hasOwn(NodeFields.properties, name)) known[name] = each
      else if (isGuardrailList(name)) guardrails[name] = this.#guardrails.read(name, each, keyAt(path, name))
      else if (isSetting(name, this.#settingNames)) this.#setting(name, each, keyAt(path, name), settings)
      else this.#findings.add(keyAt(path, name), () => this.#unknown(name))
    }
    const children = targets === undefined ? undefined : this.#targets(targets, keyAt(path, 'targets'), depth)
    const plan = strategy === undefined ? undefined : readStrategy(strategy, path, children, this.#findings)
    if (children !== undefined && children.length > 1 && strategy === undefined) {
      this.#findings.add(path, 'needs a strategy to choose among its targets')
    }
    return {
      ...this.#fields(known, path),
      settings,
      ...(Object.keys(guardrails).length === 0 ? {} : { guardrails }),
      ...defined({ targets: children, strategy: plan }),
    }
  }

  #fields(fields: Readonly<Record<string, unknown>>, path: string): Partial<ConfigNode> {
    const { cache, ...rest } = canonicalInner(fields, NODE_SHAPE, path, this.#findings)
    const isShort = typeof cache === 'string'
    if (isShort) this.#findings.spelt(keyAt(path, 'cache.mode'), this.#findings.written(keyAt(path, 'cache')))
    const checked = check(NodeFields, {
      ...rest,
      ...(cache === undefined ? {} : { cache: isShort ? { mode: cache } : cache }),
    })
    if (!checked.ok) {
      for (const violation of checked.violations) this.#findings.add(keyAt(path, violation.path), violation.message)
      return {}
    }
    checked.value.forward_headers?.forEach((name, index) => {
      if (isForwardable(name)) return
      this.#findings.add(itemAt(keyAt(path, 'forward_headers'), index), 'is a header that cannot be forwarded')
    })
    return checked.value
  }

  #targets(targets: unknown, path: string, depth: number): readonly ConfigNode[] {
    if (!Array.isArray(targets) || targets.length === 0) {
      this.#findings.add(path, 'must be an array with at least one target')
      return []
    }
    this.#targetCount += targets.length
    if (this.#targetCount > MAX_TARGETS) {
      this.#findings.add(path, `are more than ${MAX_TARGETS} with those before them`)
      return []
    }
    if (depth >= MAX_DEPTH) {
      this.#findings.add(path, `are nested more than ${MAX_DEPTH} levels deep`)
      return []
    }
    return targets.map((target: unknown, index) => this.node(target, itemAt(path, index), depth + 1))
  }

  #setting(name: string, value: unknown, path: string, settings: Record<string, string>): void {
    const text = settingText(name, value)
    if (text === undefined) this.#findings.add(path, 'must be a string')
    else settings[name] = text
  }

  #unknown(name: string): string {
    if (name === '__proto__') return 'this key is never allowed'
    if (name === 'mode') return 'belongs into `strategy`'
    if (name === 'options') return 'is of version 1.0: write `targets`'
    const near = nearest(name, [...NODE_KEYS, ...this.#settingNames])
    return near === undefined ? 'unknown key' : `unknown key; did you mean '${near}'?`
  }
}
