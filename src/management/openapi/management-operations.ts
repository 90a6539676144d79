import { namePath, pathsOf } from '../mount.ts'
import { isOf, showsSame } from '../preconditions/shown-by.ts'
import type { AnyRoute } from '../route.ts'
import { type ManagementErrorStatus, managementError } from './components.ts'
import { toJsonSchema } from './json-schema.ts'
import type { Operation, Parameter, PathItem, PlacedOperation, Reference, ResponseObject } from './types.ts'

/**
 * A management route as an operation, under the one root that stands for its plane (interface contract, section 1.1).
 * @param shown the route that shows what this one changes or answers with
 */
export const managementOperation = (
  route: AnyRoute,
  basePath: string,
  shown: AnyRoute | undefined,
): PlacedOperation => {
  const root = route.plane === 'organisation' ? '/admin/v2' : '/v2'
  const [only = root, ...others] = route.roots ?? []
  const canonical = `${basePath}${others.length === 0 ? only : root}${route.path}`
  return {
    method: route.method.toLowerCase() as keyof PathItem,
    path: inBraces(canonical),
    operation: {
      operationId: operationId(route),
      summary: route.summary,
      ...accessOf(route),
      tags: [route.tag],
      ...parametersOf(route, shown),
      ...(route.body === undefined
        ? {}
        : {
            requestBody: {
              required: route.bodyOptional !== true,
              content: { [bodyTypeOf(route)]: { schema: toJsonSchema(route.body) } },
            },
          }),
      responses: responsesOf(route, shown),
      'x-weir-aliases': pathsOf(route, basePath)
        .filter((path) => path !== canonical)
        .map(inBraces),
      'x-weir-scopes': route.scopes,
    },
  }
}

/** A route whose refusals are not JSON of ours has a form of its own, in which it is called too. */
const bodyTypeOf = ({ errors }: AnyRoute): string => errors?.mediaType ?? 'application/json'

/** What a caller needs. */
const accessOf = ({ isPublic, scopes }: AnyRoute): Pick<Operation, 'description' | 'security'> => {
  if (isPublic === true) return { security: [] }
  if (scopes.length === 0) return { description: 'Needs no scope.' }
  return { description: `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.` }
}

/** A path as OpenAPI writes it: `/things/{id}`. */
export const inBraces = (path: string): string => path.replaceAll(/:([a-zA-Z_]+)/g, '{$1}')

/** `GET /api-keys/:id` becomes `getApiKeysById`: no two routes share method and name, so no two share this. */
const operationId = (route: AnyRoute): string =>
  route.method.toLowerCase() +
  namePath(route)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(':') ? `By${pascal(part.slice(1))}` : pascal(part)))
    .join('')

const pascal = (text: string): string =>
  text.replaceAll(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())

const parametersOf = (route: AnyRoute, shown: AnyRoute | undefined): Pick<Operation, 'parameters'> => {
  const parameters = [...pathParameters(route.path), ...queryParameters(route), ...tagParameters(route, shown)]
  return parameters.length === 0 ? {} : { parameters }
}

const pathParameters = (path: string): readonly Parameter[] =>
  [...path.matchAll(/:([a-zA-Z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const queryParameters = ({ query }: AnyRoute): readonly Parameter[] => {
  if (query === undefined) return []
  const { properties = {}, required = [] } = toJsonSchema(query) as {
    properties?: Readonly<Record<string, Record<string, unknown>>>
    required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    // A value that has a default is filled in before the check.
    required: required.includes(name) && schema.default === undefined,
    ...(typeof description === 'string' ? { description } : {}),
    schema,
  }))
}

const tagParameter = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

const IF_NONE_MATCH = tagParameter('If-None-Match', 'Tags that are known already: 304 where it is one of them.')
const IF_MATCH = tagParameter(
  'If-Match',
  'The `ETag` of what is to be changed, or `*`: 412 where it is another by now.',
)

const tagParameters = (route: AnyRoute, shown: AnyRoute | undefined): readonly Parameter[] => {
  if (route === shown) return [IF_NONE_MATCH]
  return isOf(route, shown) ? [IF_MATCH] : []
}

const ETAG = {
  ETag: {
    description: 'Another one whenever the object was changed. Fields with `x-weir-outside-etag` do not count.',
    schema: { type: 'string' },
  },
}

const refusalOf = ({ errors }: AnyRoute, status: ManagementErrorStatus): ResponseObject | Reference =>
  errors?.schema === undefined
    ? managementError(status)
    : {
        description: 'Refused.',
        content: { [errors.mediaType ?? 'application/json']: { schema: toJsonSchema(errors.schema) } },
      }

const responsesOf = (route: AnyRoute, shown: AnyRoute | undefined): Operation['responses'] => {
  const errors: readonly ManagementErrorStatus[] =
    route.changes || route.audits === true
      ? [400, 401, 403, 404, 409, 500, 503, 507]
      : route.isPublic === true
        ? [400, 404, 500]
        : [400, 401, 403, 404, 500, 503]
  const { missing, status: done = 200 } = route
  const content = { [route.responseType ?? 'application/json']: { schema: toJsonSchema(route.response) } }
  return {
    [done]: {
      description: 'Done.',
      ...(shown !== undefined && showsSame(route, shown) && { headers: ETAG }),
      ...(done !== 204 && { content }),
    },
    ...(route === shown && { 304: { description: 'It is as `If-None-Match` says.', headers: ETAG } }),
    ...Object.fromEntries(errors.map((status) => [status, refusalOf(route, status)])),
    ...((route === shown || isOf(route, shown)) && { 412: refusalOf(route, 412) }),
    ...(missing === undefined
      ? {}
      : { 404: { description: 'Not found.', content: { 'application/json': { schema: toJsonSchema(missing) } } } }),
  }
}
