import type { Adapter, AdapterContext } from './provider.ts'

/**
 * The name of a model as a part of a path. Its slashes stand as the client wrote them, since hosts differ: some take `org/model` as it
 * is, others encoded alone. Colons and the like, which a path may hold, stay as they are.
 */
export const modelSegment = ({ model, pathParams }: AdapterContext): string => {
  const isEncoded = /%2f/i.test(pathParams?.['*'] ?? '')
  return model
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll('%3A', ':').replaceAll('%40', '@'))
    .join(isEncoded ? '%2F' : '/')
}

/** Path of one model, below that of the list of them. */
export const belowModels =
  (list: Adapter<string>['path']) =>
  (context: AdapterContext): string => {
    const path = typeof list === 'string' ? list : list(context)
    const [place = '', query] = path.split('?', 2)
    return `${place}/${modelSegment(context)}${query === undefined ? '' : `?${query}`}`
  }
