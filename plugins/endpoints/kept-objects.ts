import { checkPath, readPassThrough } from '#calls/pass-through/pass-through'
import {
  type Call,
  type Deprecation,
  defined,
  defineEndpoint,
  type Endpoint,
  type EndpointDefinition,
  type Stage,
  type TObject,
  t,
} from '#kit'
import { passThrough } from '#kit/slots'

/** A kind of call about objects that a provider keeps. */
export interface KeptObject extends Partial<EndpointDefinition> {
  readonly id: string
  /** `GET /threads/:thread_id` */
  readonly at: `${'GET' | 'POST' | 'DELETE'} ${string}`
  /** Its name in the description of the interface, and the word of its calls. */
  readonly operationId: string
  readonly summary: string
  /** What is usually sent. */
  readonly sent?: TObject
  /** What is usually answered. */
  readonly answered: TObject
  readonly deprecated?: Deprecation
}

/**
 * An endpoint whose calls go to their provider as they came, and whose answers come back so: what they are about is kept there,
 * in whatever version of its interface. Calls that change something count for limits; none has a model or tokens unless it says so.
 */
export const keptObject = ({ id, at, operationId, summary, sent, answered, ...more }: KeptObject): Endpoint => {
  const [method = '', path = ''] = at.split(' ')
  return defineEndpoint({
    id,
    described: { operationId, summary },
    routes: [{ method: method as 'GET' | 'POST' | 'DELETE', path }],
    requestTypes: [operationId],
    requestTypeOf: () => operationId,
    operation: id.replaceAll('-', '_'),
    body: method === 'POST' ? { kind: 'any', ...defined({ schema: sent }) } : { kind: 'none' },
    answer: { kind: 'json', schema: answered },
    hasModel: false,
    isCounted: method === 'POST',
    singleTarget: true,
    stages: [passesAt(path)],
    ...more,
  })
}

const passesAt = (route: string): Stage => {
  const segments = route.split('/').length - 1
  return {
    name: 'kept-object',
    async run(call, next) {
      call.set(passThrough, await readPassThrough(call, { path: placeOf(call, segments), isReference: true }))
      return next()
    },
  }
}

/** The path without what stands in front of that of the endpoint: the operator's prefix, a version. */
const placeOf = ({ request: { path } }: Call, segments: number): string =>
  checkPath(`/${path.replace(/\/$/, '').split('/').slice(-segments).join('/')}`)

/** An object by what it is. */
export const shown = (object: string): TObject => t.Object({ id: t.String(), object: t.Literal(object) })

export const listOf = (object: string): TObject =>
  t.Object({ object: t.Literal('list'), data: t.Array(shown(object)), has_more: t.Boolean() })

export const deleted = (object: string): TObject =>
  t.Object({ id: t.String(), object: t.Literal(object), deleted: t.Boolean() })

export const Metadata = t.Record(t.String(), t.String())
