import type { ConfigNode } from '#calls/config/fields'

/**
 * Fields of the interface that belong to parts that do not run yet. They may be saved; a call with one is refused, as
 * leaving a check out in silence would change what the call means.
 */
const NOT_YET = [
  'input_guardrails',
  'output_guardrails',
  'before_request_hooks',
  'after_request_hooks',
  'input_mutators',
  'output_mutators',
] as const

/**
 * Path of the first part of a config that cannot be run.
 * @param settingNames settings that the running providers take
 */
export const findUnsupported = (
  node: ConfigNode,
  settingNames: ReadonlySet<string>,
  prefix = '',
): string | undefined => {
  const own =
    NOT_YET.find((name) => says(node[name])) ??
    (node.passthrough === true ? 'passthrough' : undefined) ??
    Object.keys(node.settings).find((name) => !settingNames.has(name))
  if (own !== undefined) return `${prefix}${own}`
  for (const [index, target] of (node.targets ?? []).entries()) {
    const found = findUnsupported(target, settingNames, `${prefix}targets[${index}].`)
    if (found !== undefined) return found
  }
  return undefined
}

/** An empty list asks for nothing. */
const says = (value: string | readonly unknown[] | undefined): boolean => value !== undefined && value.length > 0
