import { splitModel } from '#calls/config/model-name'
import type { Call } from '#kit'
import type { Leaf } from '#kit/plan'
import { type GatewayHeaders, passThrough, type RenderedPrompt } from '#kit/slots'

/** The provider that a call names. */
export interface Named {
  /** Id of a provider, or slug of a stored one, without its `@`. */
  readonly name: string
  /** Written as `@slug`, or as a virtual key. */
  readonly isStored: boolean
  /** The model that is asked for, without the provider's name, when that stood in front of it. */
  readonly model?: string
}

/**
 * Who is named, in this order: the config; the provider header; the virtual-key header; `@slug/model` in the config's
 * parameters, in the body, in the query (behaviour reference, section 1.4). One of several targets says all of its own
 * before the headers are asked, or each of them would lead to the same place.
 */
export const namedProvider = (
  call: Call,
  leaf: Leaf,
  headers: GatewayHeaders,
  prompt: RenderedPrompt | undefined,
): Named | undefined => {
  const asked = (prompt?.params ?? call.params).model ?? call.find(passThrough)?.model
  const inLeaf = virtualKey(leaf.virtualKey) ?? plain(leaf.provider)
  const inParams = inModel(leaf.overrideParams?.model)
  const inBody = unlessReplaced(leaf, inModel(asked))
  const elsewhere = unlessReplaced(leaf, inQuery(call) ?? (asked === undefined ? inDefaults(leaf) : undefined))
  const named =
    inLeaf ??
    (leaf.path === 'config' ? undefined : inParams) ??
    inHeaders(headers) ??
    virtualKey(prompt?.prompt.virtualKey) ??
    inParams ??
    inBody ??
    elsewhere
  // Where somebody else says who is asked, a model in the body is the one that is meant.
  const isMeant = named === elsewhere || asked === undefined
  // Whoever is asked does not know a model by a name with a provider in front of it.
  const model = (inParams ?? inBody ?? (isMeant ? elsewhere : undefined))?.model
  return named === undefined || model === undefined ? named : { ...named, model }
}

/** The model that a call names, without a provider in front of it. */
export const requestModel = (call: Call): string | undefined => {
  const model = call.params.model ?? call.find(passThrough)?.model
  return typeof model === 'string' ? (splitModel(model)?.model ?? model) : undefined
}

const inQuery = (call: Call): Named | undefined => inModel(call.request.query.get('model'))

const inDefaults = ({ defaultParams }: Leaf): Named | undefined => inModel(defaultParams?.model)

const inHeaders = (headers: GatewayHeaders): Named | undefined =>
  plain(headers.get('provider')) ?? virtualKey(headers.get('virtual-key')) ?? plain(modeOf(headers))

/** `proxy openai`: how the provider was named in 2023. */
const modeOf = (headers: GatewayHeaders): string | undefined =>
  /^\s*proxy\s+(\S+)\s*$/i.exec(headers.get('mode') ?? '')?.[1]

/** A model in the config's parameters takes the place of the call's own, which then only names who is asked. */
const unlessReplaced = ({ overrideParams: params }: Leaf, named: Named | undefined): Named | undefined =>
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

const inModel = (model: unknown): Named | undefined => {
  const split = splitModel(model)
  return split === undefined ? undefined : { name: split.provider, isStored: true, model: split.model }
}
