import type { ConfigNode } from '#calls/config/fields'

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
    (node.passthrough === true ? 'passthrough' : undefined) ??
    Object.keys(node.settings).find((name) => !settingNames.has(name))
  if (own !== undefined) return `${prefix}${own}`
  for (const [index, target] of (node.targets ?? []).entries()) {
    const found = findUnsupported(target, settingNames, `${prefix}targets[${index}].`)
    if (found !== undefined) return found
  }
  return undefined
}
