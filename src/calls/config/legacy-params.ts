/** Parameters that had the name of one vendor, in the reference's words. */
const RENAMED: Readonly<Record<string, string>> = { stop_sequences: 'stop', max_tokens_to_sample: 'max_tokens' }

/**
 * What the old client took for a parameter of the model and is none: how long it waits, and whose account it is. No
 * provider was ever sent them.
 */
const OF_THE_CLIENT: ReadonlySet<string> = new Set(['timeout', 'organization'])

/** Model parameters of 2023 as those of today. What is there under both names stays as it is called today. */
export const modernParams = (params: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const entries = Object.entries(params).filter(([name]) => !OF_THE_CLIENT.has(name))
  const modern = Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(RENAMED, name)))
  for (const [name, value] of entries) {
    const today = Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined
    if (today !== undefined) modern[today] ??= value
  }
  return modern
}
