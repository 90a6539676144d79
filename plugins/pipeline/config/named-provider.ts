import type { Call } from '#kit'
import type { GatewayHeaders } from '#kit/slots'
import type { ConfigNode } from './inline-config.ts'

/** The provider that a call names. */
export interface Named {
  /** Id of a provider, or slug of a stored one, without its `@`. */
  readonly name: string
  /** Written as `@slug`, or as a virtual key. */
  readonly isStored: boolean
  /** The model that is asked for, without the provider's name, when that stood in front of it. */
  readonly model?: string
}

/** Models of these hosts begin with an `@` of their own. */
const NOT_A_PROVIDER = new Set(['cf', 'hf'])

/**
 * Who is named, in this order: the config; the provider header; the virtual-key header; `@slug/model` in the config's
 * parameters, in the body, in the query (behaviour reference, section 1.4).
 */
export const namedProvider = (call: Call, node: ConfigNode, headers: GatewayHeaders): Named | undefined =>
  virtualKey(node.virtual_key) ??
  plain(node.provider) ??
  plain(headers.get('provider')) ??
  virtualKey(headers.get('virtual-key')) ??
  inModel(node.override_params?.model) ??
  unlessReplaced(node, inModel(bodyModel(call)) ?? inModel(call.request.query.get('model')))

const bodyModel = (call: Call): unknown => (call.endpoint === 'models' ? undefined : call.request.body.json().model)

/** A model in the config's parameters takes the place of the call's own, which then only names who is asked. */
const unlessReplaced = ({ override_params: params }: ConfigNode, named: Named | undefined): Named | undefined =>
  named === undefined || params?.model === undefined ? named : { name: named.name, isStored: named.isStored }

const plain = (text: string | undefined): Named | undefined => {
  const name = text?.trim()
  if (name === undefined) return undefined
  return name.startsWith('@') ? { name: name.slice(1), isStored: true } : { name, isStored: false }
}

const virtualKey = (text: string | undefined): Named | undefined => {
  const name = text?.trim().replace(/^@/, '')
  return name === undefined ? undefined : { name, isStored: true }
}

/** The first slash splits: the name of a model may hold more. */
const inModel = (model: unknown): Named | undefined => {
  const [, name, rest] = (typeof model === 'string' && /^@([a-zA-Z0-9_-]+)\/(.+)$/.exec(model)) || []
  if (name === undefined || rest === undefined || NOT_A_PROVIDER.has(name)) return undefined
  return { name, isStored: true, model: rest }
}
