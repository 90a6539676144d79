import { InvalidRequest } from '#kit'
import { type ModelTraits, traitsOf } from '../anthropic/models.ts'

/** What is known of a model by its id. */
export interface BedrockModel {
  /** `anthropic`, `amazon`, `openai`, …; empty for an id that does not say it: of a profile, or of a model of one's own. */
  readonly maker: string
  /** Behind the maker: `claude-sonnet-4-5-20250929-v1:0`. */
  readonly name: string
}

/** In front of the maker: the geography of an inference profile ("Cross-region inference", read 2026-11-22). */
const GEOGRAPHY = /^(?:us|eu|apac|jp|au|ca|sa|me|af|il|mx|us-gov|global)\./

/** Reads ids, inference profiles and ARNs, where the last segment says it: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`. */
export const modelOf = (id: string): BedrockModel => {
  const last = id.slice(id.lastIndexOf('/') + 1).toLowerCase()
  const bare = last.replace(GEOGRAPHY, '')
  const dot = bare.indexOf('.')
  return dot === -1 ? { maker: '', name: bare } : { maker: bare.slice(0, dot), name: bare.slice(dot + 1) }
}

/** The id of the model alone, without the geography of a profile: some operations take no other. */
export const baseModelOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1).replace(GEOGRAPHY, '')

export const isClaude = ({ maker }: BedrockModel): boolean => maker === 'anthropic'

/** What differs between the generations of Claude; undefined for other models. */
export const claudeOf = (model: BedrockModel): ModelTraits | undefined =>
  isClaude(model) ? traitsOf(model.name) : undefined

const isNova = ({ maker, name }: BedrockModel): boolean => maker === 'amazon' && name.startsWith('nova-')

/** Models with extended thinking that is switched on with `reasoningConfig` ("Extended thinking in Amazon Nova 2", read 2026-11-22). */
export const isNova2 = ({ maker, name }: BedrockModel): boolean => maker === 'amazon' && name.startsWith('nova-2-')

/** Whether some call, or one of a tool by its name, can be demanded ("ToolChoice" of the API reference: `tool` only for Claude 3 and newer, and for Nova, read 2026-11-22). */
export const toolChoicesOf = (model: BedrockModel): { readonly some: boolean; readonly named: boolean } => {
  const claude = claudeOf(model)
  if (claude !== undefined) return { some: claude.forcedToolChoice, named: claude.forcedToolChoice }
  return { some: isNova(model) || model.maker === 'mistral', named: isNova(model) }
}

/** Whether there are cache points ("Prompt caching for faster model inference": Claude and Nova, read 2026-11-22). */
export const hasCachePoints = (model: BedrockModel): boolean => isClaude(model) || isNova(model)

/**
 * Makers whose open models take a JSON schema, of DeepSeek and Mistral the newer ones ("Get validated JSON results from models",
 * read 2026-11-22).
 */
const SCHEMA_MAKERS: ReadonlySet<string> = new Set([
  'google',
  'minimax',
  'moonshot',
  'moonshotai',
  'nvidia',
  'openai',
  'qwen',
])
const SCHEMA_MODELS = /^(?:mistral\.(?:ministral|magistral|voxtral|mistral-large-3)|deepseek\.v)/

/** Whether `outputConfig.textFormat` and strict tools exist. */
export const hasSchemas = (model: BedrockModel): boolean => {
  const claude = claudeOf(model)
  if (claude !== undefined) return claude.structuredOutputs
  return SCHEMA_MAKERS.has(model.maker) || SCHEMA_MODELS.test(`${model.maker}.${model.name}`)
}

/**
 * Path of a model below the base URL. Ids hold colons, ARNs slashes too: both are encoded.
 * @throws InvalidRequest for what can be no segment of a path
 */
export const modelPath = (model: string): string => {
  if (model === '' || model === '.' || model === '..' || !model.isWellFormed()) {
    throw new InvalidRequest('Bedrock has no such model: name it by its id, its inference profile or its ARN.', {
      param: 'model',
    })
  }
  return `/model/${encodeURIComponent(model)}`
}

/** The model that the path of a call names. It comes percent-decoded, so that an ARN has its slashes. */
export const modelInPath = (path: string): string | undefined =>
  /^\/model\/(.+)\/(?:converse|converse-stream|invoke|invoke-with-response-stream|count-tokens)$/.exec(path)?.[1]
