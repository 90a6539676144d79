/**
 * Under which names of the price list a model may stand: the one that was told, then others that mean the same model at the
 * same provider. A name is never taken for that of another model: one that no rule leads to the list has no known price.
 */

/** Whether a price is listed under a name. */
export type IsListed = (name: string) => boolean

type NameRule = (model: string, isListed: IsListed, region: string | undefined) => readonly string[]

/** The first name that is listed. */
export const listedName = (
  provider: string,
  model: string,
  isListed: IsListed,
  region?: string,
): string | undefined => {
  if (region !== undefined && isListed(`${region}/${model}`)) return `${region}/${model}`
  if (isListed(model)) return model
  return RULES.get(provider)?.(model, isListed, region).find(isListed)
}

/** Providers where the name that was asked for is whatever their customer chose: only their answers say which model it is. */
export const CHOSEN_NAMES: ReadonlySet<string> = new Set(['azure-openai', 'azure-ai'])

/** `gpt-5-2025-08-07`: a snapshot costs what its model does, where the list does not name it. */
const undated = (model: string): string => model.replace(/-20\d\d-[01]\d-[0-3]\d$/, '')

/** `ft:gpt-4o-2024-08-06:acme::abc`: one that was trained further costs the same for everybody. */
const openai: NameRule = (model) => {
  const [, base] = /^(ft:[^:]+):/.exec(model) ?? []
  return base === undefined ? [undated(model)] : [base]
}

/** Anthropic dates snapshots in another way: `claude-sonnet-4-5-20250929`. */
const undatedClaude = (model: string): string => model.replace(/-20\d\d[01]\d[0-3]\d$/, '')

/** `models/gemini-2.0-flash-001`: the stable version that the plain name stands for. */
const gemini: NameRule = (model) => {
  const bare = model.replace(/^models\//, '')
  return [bare, ...(bare.startsWith('gemini-') ? [bare.replace(/-00\d$/, '')] : [])]
}

const VERTEX_PATH =
  /^(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/([^/]+)\/models\/|(google|anthropic)[/.])(.+)$/

/** Publishers' paths, and `@20250929` or `@default` behind the name. */
const vertex: NameRule = (model, isListed) => {
  const [, publisher, short, rest = model] = VERTEX_PATH.exec(model) ?? []
  const owner = publisher ?? short
  const bare = rest.replace(/^models\//, '')
  const whole = owner === undefined ? bare : `${owner}/${bare}`
  const plain = bare.startsWith('claude-') ? bare.replace(/@(?:20\d{6}|default|latest)$/, '') : bare
  return [whole, bare, plain, undatedClaude(plain), ...gemini(bare, isListed, undefined)]
}

/** Geographies of Bedrock's inference profiles: `eu.anthropic.…`. */
const GEOGRAPHIES = ['us', 'us-gov', 'eu', 'apac', 'au', 'jp', 'in', 'ca', 'sa', 'global']
const GEOGRAPHY = /^(?:us|us-gov|eu|apac|au|jp|in|ca|sa|global)\.(?=[a-z0-9]+\.)/

const ARN = /^arn:aws[a-z-]*:bedrock:([a-z0-9-]*):[0-9]*:(?:foundation-model|inference-profile)\/(.+)$/

/**
 * Models and profiles of Bedrock by their ARN. A profile that is not listed costs what its model does, where none of that
 * model is listed with a price of its own. Application profiles, and models that were imported or hired, have names that say nothing.
 */
const bedrock: NameRule = (model, isListed, region) => {
  const [, place = '', id = model] = ARN.exec(model) ?? []
  const bare = id.replace(GEOGRAPHY, '')
  const hasProfiles = GEOGRAPHIES.some((geography) => isListed(`${geography}.${bare}`))
  return [`${region ?? place}/${id}`, id, ...(hasProfiles ? [] : [`${region ?? place}/${bare}`, bare])]
}

const RULES: ReadonlyMap<string, NameRule> = new Map([
  ['openai', openai],
  ['azure-openai', (model) => [undated(model)]],
  ['azure-ai', (model) => [undated(model), undatedClaude(model)]],
  ['anthropic', (model) => [undatedClaude(model)]],
  ['google', gemini],
  ['vertex-ai', vertex],
  ['bedrock', bedrock],
])
