import { check, InvalidConfig, isRecord, type Static, t, UnsupportedConfig } from '#kit'

const Params = t.Record(t.String(), t.Unknown())

/** The fields of a node that this version runs. Provider settings (`resource_name`, …) are read apart. */
const Node = t.Object({
  name: t.Optional(t.String()),
  provider: t.Optional(t.String({ minLength: 1 })),
  /** The older way to write `provider: "@slug"`. */
  virtual_key: t.Optional(t.String({ minLength: 1 })),
  api_key: t.Optional(t.String({ minLength: 1 })),
  custom_host: t.Optional(t.String({ minLength: 1 })),
  override_params: t.Optional(Params),
  default_params: t.Optional(Params),
  drop_params: t.Optional(t.Array(t.String({ minLength: 1 }))),
  request_timeout: t.Optional(t.Integer({ minimum: 1 })),
  forward_headers: t.Optional(t.Array(t.String({ minLength: 1 }))),
  strict_open_ai_compliance: t.Optional(t.Boolean()),
})

export type ConfigNode = Static<typeof Node>

export interface InlineTarget {
  /** As the answer names it. */
  readonly path: string
  readonly node: ConfigNode
  /** Provider settings by their snake_case name. */
  readonly settings: Readonly<Record<string, string>>
}

/** Fields of the interface that belong to parts that this version does not run: ignoring one would change what the call means. */
const NOT_YET = [
  'prompt_id',
  'retry',
  'cache',
  'passthrough',
  'input_guardrails',
  'output_guardrails',
  'before_request_hooks',
  'after_request_hooks',
  'input_mutators',
  'output_mutators',
  'fetch_integrated_models',
] as const

/**
 * Reads the JSON of `x-gateway-config`: one target, either flat or as `{strategy: {mode: "single"}, targets: [one]}`.
 * Keys may be in snake_case or camelCase. A value at the target wins over the one at the root.
 * @throws InvalidConfig with every violation; UnsupportedConfig for what is valid but not run here.
 */
export const readInlineConfig = (text: string, settingNames: ReadonlySet<string>): InlineTarget => {
  if (text.startsWith('pc-')) {
    throw new InvalidConfig(`There is no saved config '${text}'.`, { param: 'x-gateway-config' })
  }
  const root = snakeCased(parseObject(text))
  if ('mode' in root || 'options' in root) {
    throw new UnsupportedConfig(
      'Configs 1.0 are not supported on this route: write `strategy: {mode}` for `mode` and `targets` for `options`.',
      { param: 'x-gateway-config' },
    )
  }
  const { strategy, targets, ...rest } = root
  refuseOtherStrategies(strategy)
  if (targets === undefined) return { path: 'config', ...readNode(rest, '', settingNames) }
  if (!Array.isArray(targets) || targets.length === 0) {
    throw invalid('targets', 'must be an array with at least one target')
  }
  if (targets.length > 1) {
    throw new UnsupportedConfig('Only one target is supported with strategy mode `single`.', { param: 'targets' })
  }
  const [target] = targets
  if (!isRecord(target)) throw invalid('targets[0]', 'must be an object')
  const inherited = readNode(rest, '', settingNames)
  const own = readNode(snakeCased(target), 'targets[0].', settingNames)
  return {
    path: 'config.targets[0]',
    node: { ...inherited.node, ...own.node, ...mergedOverrides(inherited.node, own.node) },
    settings: { ...inherited.settings, ...own.settings },
  }
}

/** The one field that both levels make together: the target's parameters over the root's (interface contract, section 6). */
const mergedOverrides = (root: ConfigNode, target: ConfigNode): Pick<ConfigNode, 'override_params'> =>
  root.override_params === undefined || target.override_params === undefined
    ? {}
    : { override_params: { ...root.override_params, ...target.override_params } }

const refuseOtherStrategies = (strategy: unknown): void => {
  if (strategy === undefined) return
  if (!isRecord(strategy) || typeof strategy.mode !== 'string') throw invalid('strategy.mode', 'must be a string')
  if (strategy.mode !== 'single') {
    throw new UnsupportedConfig(`Strategy mode '${strategy.mode}' is not supported here: use 'single'.`, {
      param: 'strategy.mode',
    })
  }
}

const readNode = (
  fields: Record<string, unknown>,
  prefix: string,
  settingNames: ReadonlySet<string>,
): { node: ConfigNode; settings: Record<string, string> } => {
  const entries: [string, unknown][] = []
  const settings: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    const unsupported = NOT_YET.find((field) => field === name)
    if (unsupported !== undefined) {
      throw new UnsupportedConfig(`\`${unsupported}\` is not supported in an inline config.`, {
        param: `${prefix}${name}`,
      })
    }
    if (!settingNames.has(name)) entries.push([name, value])
    else if (typeof value === 'string') settings[name] = value
    else throw invalid(`${prefix}${name}`, 'must be a string')
  }
  const checked = check(Node, Object.fromEntries(entries))
  if (checked.ok) return { node: checked.value, settings }
  const violations = checked.violations.map(({ path, message }) => ({ path: `${prefix}${path}`, message }))
  const [first] = violations
  throw new InvalidConfig(`The config is not valid: ${first?.path ?? ''} ${first?.message ?? ''}.`, {
    violations,
    ...(first === undefined ? {} : { param: first.path }),
  })
}

const parseObject = (text: string): Record<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new InvalidConfig('The config is neither the slug of a saved config (`pc-…`) nor valid JSON.', {
      param: 'x-gateway-config',
    })
  }
  if (!isRecord(value)) throw new InvalidConfig('The config must be a JSON object.', { param: 'x-gateway-config' })
  return value
}

/** Only the config's own keys are renamed: what stands inside `override_params` belongs to the provider. */
const snakeCased = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key === 'strictOpenAiCompliance' || key === 'strictOpenAICompliance'
        ? 'strict_open_ai_compliance'
        : key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )

const invalid = (path: string, message: string): InvalidConfig =>
  new InvalidConfig(`The config is not valid: ${path} ${message}.`, { param: path, violations: [{ path, message }] })
