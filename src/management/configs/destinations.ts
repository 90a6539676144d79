import { isRecord } from '../../core/json/record.ts'
import { type ConfigObject, type ConfigTreeNode, isSecretName, targetsOf, toFieldName } from './config-tree.ts'

/** Fields that do not say where a call goes. Any other might be part of an address. */
const NOT_A_PLACE: ReadonlySet<string> = new Set([
  'name',
  'weight',
  'strategy',
  'targets',
  'retry',
  'cache',
  'request_timeout',
  'first_token_timeout',
  'forward_headers',
  'override_params',
  'default_params',
  'drop_params',
  'prompt_id',
  'input_guardrails',
  'output_guardrails',
  'before_request_hooks',
  'after_request_hooks',
  'input_mutators',
  'output_mutators',
  'strict_open_ai_compliance',
  'fetch_integrated_models',
  'passthrough',
])

/**
 * Where the secrets of a node may be sent: for the node itself, or each target below it, the fields that make its address,
 * those that it inherits among them.
 */
export const destinationsOf = ({ fields, ancestors }: ConfigTreeNode): ReadonlySet<string> => {
  const inherited: ConfigObject = Object.assign({}, ...ancestors.map(placeOf))
  return new Set(destinationsBelow(fields, inherited))
}

const destinationsBelow = (fields: ConfigObject, inherited: ConfigObject): readonly string[] => {
  const place = { ...inherited, ...placeOf(fields) }
  const targets = targetsOf(fields)
  if (targets.length > 0) return targets.flatMap((target) => destinationsBelow(target, place))
  return [JSON.stringify(Object.entries(place).toSorted(([left], [right]) => (left < right ? -1 : 1)))]
}

const placeOf = (fields: ConfigObject): ConfigObject => {
  const named = Object.entries(fields).map(([key, value]): [string, unknown] => [toFieldName(key), value])
  const place = Object.fromEntries(named.filter(([name]) => !NOT_A_PLACE.has(name) && !isSecretName(name)))
  const params = Object.fromEntries(named).override_params
  const model = isRecord(params) ? params.model : undefined
  // `@provider/model` names a provider.
  return typeof model === 'string' && model.startsWith('@') ? { ...place, model: model.split('/')[0] } : place
}
