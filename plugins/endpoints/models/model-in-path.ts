import { readPath } from '#calls/pass-through/pass-through'
import { type CallRequest, MethodNotAllowed } from '#kit'

/**
 * The model that a path names, with its slashes as they are or percent-encoded.
 * @throws EgressRefused for a name that could lead elsewhere; MethodNotAllowed for none, since that is the list of all of them
 */
export const modelInPath = ({ params }: Pick<CallRequest, 'params'>): string => {
  const rest = params['*'] ?? ''
  if (rest === '') throw new MethodNotAllowed('The method is not allowed here: use GET.', { allow: ['GET'] })
  return readPath(`/models/${rest}`).model ?? ''
}
