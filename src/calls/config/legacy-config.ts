import { defined } from '../../core/defined.ts'
import { isRecord } from '../../core/json/record.ts'
import { UnsupportedConfig } from '../../errors/gateway-error.ts'
import { canonicalKey } from './keys.ts'
import { modernParams } from './legacy-params.ts'

/** What the config in the body of an old route says. */
export interface LegacyConfig {
  /** Slug of a saved config, or a config of version 1.0 or 2.0. Absent: none was named. */
  readonly config?: unknown
  /** What options of version 1.0 said of the call itself. */
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly traceId?: string
  readonly cacheForceRefresh?: true
}

/** Model parameters that an option could hold beside its own fields (README of the old client, "Setting the prompt input"). */
const PARAMS: ReadonlySet<string> = new Set([
  'prompt',
  'messages',
  'input',
  'model',
  'suffix',
  'max_tokens',
  'temperature',
  'top_k',
  'top_p',
  'n',
  'stop_sequences',
  'timeout',
  'functions',
  'function_call',
  'logprobs',
  'echo',
  'stop',
  'presence_penalty',
  'frequency_penalty',
  'best_of',
  'logit_bias',
  'user',
  'organization',
])

/**
 * Reads the config of an old route: puts the model parameters of its options where version 2.0 has them, and takes out what
 * belongs to the call. What is wrong in it stays for the check.
 * @param successor the route to use for a config that is too new
 * @throws UnsupportedConfig for targets in targets
 */
export const readLegacyConfig = (written: unknown, successor: string): LegacyConfig => {
  if (written === null || written === undefined) return {}
  if (!isRecord(written)) return { config: written }
  const { options, ...fields } = withoutNulls(written)
  // The old client sends `mode` and `options` also when its application named neither.
  const isNothing = Object.keys(written).length > 0 && options === undefined && Object.keys(fields).length === 0
  if (isNothing) return {}
  refuseNested(written, successor)
  const ownOptions = Array.isArray(options) ? options.map((option: unknown) => readOption(option)) : options
  const places = [fields, ...(Array.isArray(options) ? options : [])].filter(isRecord)
  const metadata = said(places, 'metadata').find(isRecord)
  const traceId = said(places, 'trace_id').find((id) => typeof id === 'string' && id !== '')
  return {
    config: { ...lift(fields), ...(options === undefined ? {} : { options: ownOptions }) },
    ...defined({ metadata }),
    ...(typeof traceId === 'string' ? { traceId } : {}),
    ...(said(places, 'cache_force_refresh').includes(true) ? { cacheForceRefresh: true } : {}),
  }
}

const readOption = (option: unknown): unknown => (isRecord(option) ? lift(withoutNulls(option)) : option)

type Fields = Readonly<Record<string, unknown>>

/** `null` was how a client said nothing. */
const withoutNulls = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** All values of a field, whichever way it is spelt. */
const said = (places: readonly Fields[], name: string): readonly unknown[] =>
  places.flatMap((place) =>
    Object.entries(place)
      .filter(([key]) => canonicalKey(key) === name)
      .map(([, value]) => value),
  )

/** The old routes choose once: which option it was is a plain number. */
const refuseNested = ({ options, targets }: Fields, successor: string): void => {
  const nodes = [options, targets].flatMap((list) => (Array.isArray(list) ? list : []))
  if (!nodes.some((node) => isRecord(node) && (node.targets !== undefined || node.options !== undefined))) return
  throw new UnsupportedConfig(`Targets in targets are not supported on this route: use \`${successor}\`.`, {
    param: 'config',
  })
}

/** One option, or a whole config of the short form, as version 1.0 has it. */
const lift = (fields: Fields): Record<string, unknown> => {
  const entries = Object.entries(fields)
  const params = entries.filter(([name]) => PARAMS.has(name))
  const own = entries.filter(([name]) => !PARAMS.has(name))
  const { cache, cache_status: status, override_params: overrides, ...rest } = Object.fromEntries(own.map(respelt))
  const mode = cacheMode(cache, status)
  // What is no object stays for the check.
  const merged =
    overrides === undefined || isRecord(overrides)
      ? { ...modernParams(Object.fromEntries(params)), ...modernParams(overrides ?? {}) }
      : overrides
  return {
    ...rest,
    ...defined({ cache: mode }),
    ...(isRecord(merged) && Object.keys(merged).length === 0 ? {} : { override_params: merged }),
  }
}

/** Fields that are read here, and not by the check of any config. */
const READ_HERE: readonly string[] = ['cache_status', 'override_params']

const respelt = ([name, value]: [string, unknown]): [string, unknown] => [
  READ_HERE.find((known) => known === canonicalKey(name)) ?? name,
  value,
]

/** `cache_status: 'semantic'` was the switch, `cache: true` the one before it. Undefined: off. */
const cacheMode = (cache: unknown, status: unknown): unknown => {
  if (isRecord(cache)) return cache
  if (typeof status === 'string' && status !== '') return status
  if (cache === true) return 'simple'
  return cache === false ? undefined : cache
}
