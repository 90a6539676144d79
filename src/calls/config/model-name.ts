/** Models of these hosts begin with an `@` of their own. */
const NOT_A_PROVIDER = new Set(['cf', 'hf'])

/** Longest name of a model: it goes into the log, into spans and into groups of limits. */
export const MAX_MODEL_CHARACTERS = 1_024

/** A model that was written with its provider in front. */
export interface ModelName {
  /** Slug of a stored provider, or id of a running one. */
  readonly provider: string
  readonly model: string
}

/** `@slug/model`, taken apart. The first slash splits: the name of a model may hold more. */
export const splitModel = (model: unknown): ModelName | undefined => {
  // Asked for each call, and nearly always in vain.
  if (typeof model !== 'string' || !model.startsWith('@')) return undefined
  const [, provider, rest] = /^@([a-zA-Z0-9_-]+)\/(.+)$/s.exec(model) ?? []
  if (provider === undefined || rest === undefined || NOT_A_PROVIDER.has(provider)) return undefined
  return { provider, model: rest }
}
