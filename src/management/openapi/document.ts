import type { Endpoint } from '../../core/endpoint.ts'
import { shownBy } from '../preconditions/shown-by.ts'
import type { AnyRoute } from '../route.ts'
import { components } from './components.ts'
import { managementOperation } from './management-operations.ts'
import { otherOperations } from './other-operations.ts'
import type { OpenApiDocument, Operation, PathItem, PlacedOperation } from './types.ts'

export interface DocumentOptions {
  /** Version of Weir. */
  readonly version: string
  /** The operator's prefix of every path, or an empty text. */
  readonly basePath: string
  /** Kinds of call that are served. */
  readonly endpoints: readonly Endpoint[]
}

/**
 * The OpenAPI 3.1 document of everything that is served, made from the schemas that the routes check with.
 * @throws Error when two routes have one method and path, or one operation id: a fault of ours.
 */
export const openapiDocument = (
  routes: readonly AnyRoute[],
  { version, basePath, endpoints }: DocumentOptions,
): OpenApiDocument => {
  const placed = [
    ...otherOperations(endpoints, basePath),
    ...routes.map((route) => managementOperation(route, basePath, shownBy(route, routes))),
  ]
  const tags = [...new Set(placed.flatMap(({ operation }) => operation.tags))]
  return {
    openapi: '3.1.1',
    info: {
      title: 'Weir',
      version,
      description:
        'A self-hosted gateway to models. Every route is shown once, under its first path; `x-weir-aliases` lists the others.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKeyHeader: [] }, { session: [] }],
    tags: tags.map((name) => ({ name })),
    paths: toPaths(placed),
    components: components(),
  }
}

const toPaths = (placed: readonly PlacedOperation[]): Readonly<Record<string, PathItem>> => {
  const paths = new Map<string, PathItem>()
  /** Paths that differ only in the names of their parameters are one path to OpenAPI: the first names win. */
  const spellings = new Map<string, string>()
  const operationIds = new Set<string>()
  for (const { method, path, operation } of placed) {
    const shape = path.replaceAll(/\{[^}]+\}/g, '{}')
    const spelling = spellings.get(shape) ?? path
    spellings.set(shape, spelling)
    const item = paths.get(spelling) ?? {}
    if (item[method] !== undefined) throw new Error(`two routes are ${method} ${path}`)
    if (operationIds.has(operation.operationId)) throw new Error(`two routes are called ${operation.operationId}`)
    operationIds.add(operation.operationId)
    paths.set(spelling, { ...item, [method]: respell(operation, spelling) })
  }
  return Object.fromEntries(paths)
}

const respell = (operation: Operation, path: string): Operation => {
  if (operation.parameters === undefined) return operation
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
  const others = operation.parameters.filter((parameter) => parameter.in !== 'path')
  return {
    ...operation,
    parameters: [
      ...inPath.map((parameter, index) => ({ ...parameter, name: names[index] ?? parameter.name })),
      ...others,
    ],
  }
}
