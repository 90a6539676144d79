import { readPath } from '#calls/pass-through/pass-through'
import type { CallRequest } from '#kit'

/** What a path below `/models/` names. */
export interface ModelPath {
  readonly model: string
  /** What is asked of the model: `generateContent`. */
  readonly method: string
}

/**
 * Reads `<model>:<method>`. The model may have slashes, as they are or percent-encoded, and colons; a list of Google's own has
 * `models/` in front.
 * @throws EgressRefused for a model that could lead elsewhere
 */
export const readModelPath = ({ params }: Pick<CallRequest, 'params'>): ModelPath => {
  const rest = (params['*'] ?? '').replace(/%3a/gi, ':')
  const colon = rest.lastIndexOf(':')
  const [name, method] = colon === -1 ? [rest, ''] : [rest.slice(0, colon), rest.slice(colon + 1)]
  return { model: name === '' ? '' : (readPath(`/models/${name}`).model ?? ''), method }
}
