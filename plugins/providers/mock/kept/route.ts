import { isRecord } from '#kit'
import { MOCK_MODELS } from '../answer.ts'
import { faulted, type Strikes, struck } from '../faulted.ts'
import { type MockOptions, readOptions } from '../options.ts'
import { jsonPlan, type Plan, type WholePlan } from '../plan.ts'
import { MockRefusal } from '../refusal.ts'
import type { Fields, KeptObjects } from './objects.ts'

/** A request about kept objects. */
export interface KeptCall {
  readonly objects: KeptObjects
  /** What stands in the path for the names of its route. */
  readonly ids: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Fields
}

/** An answer that is no JSON, or has the switches of a model that the body does not name. */
export class PlannedAnswer {
  readonly plan: WholePlan
  readonly options: MockOptions

  constructor(plan: WholePlan, options: MockOptions) {
    this.plan = plan
    this.options = options
  }
}

/** `GET /threads/:thread`, and what is answered there. @throws MockRefusal */
export type KeptRoute = readonly [place: string, answer: (call: KeptCall) => object]

export interface KeptRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly body: Uint8Array
}

/** Answers a request about kept objects; undefined where no route is for its path. @throws MockRefusal */
export const keptAnswers = (
  routes: readonly KeptRoute[],
): ((request: KeptRequest, strikes: Strikes, objects: KeptObjects) => Plan | undefined) => {
  const places = routes.map(([place, answer]) => {
    const [method = '', path = ''] = place.split(' ')
    return { method, answer, names: `/v1${path}`.split('/') }
  })
  return ({ method, path, body: bytes }, strikes, objects) => {
    const { pathname, searchParams: query } = new URL(path, 'http://mock')
    const found = places.flatMap((place) => {
      const ids = idsIn(place.names, pathname.split('/'))
      return ids === undefined ? [] : [{ ...place, ids }]
    })
    if (found.length === 0) return undefined
    const one = found.find((place) => place.method === method)
    if (one === undefined) {
      throw new MockRefusal(405, `${pathname} takes ${found.map((place) => place.method).join(', ')}.`)
    }
    const text = new TextDecoder().decode(bytes)
    const body = fieldsOf(text)
    // A model that it names is one for later: a run is what its switches are about.
    const { options: asked } = readOptions('mock', body.mock)
    const call: KeptCall = { objects, ids: one.ids, query, body }
    let answered: object | undefined
    const right = (): WholePlan => {
      answered = one.answer(call)
      return answered instanceof PlannedAnswer ? answered.plan : jsonPlan(200, answered)
    }
    const plan = faulted(struck(asked, strikes, text), right)
    if (!(answered instanceof PlannedAnswer) || asked.fault !== undefined) return plan
    const { options, plan: whole } = answered
    return faulted(struck(options, strikes, text), () => whole)
  }
}

/** What stands in a path for the names of a route; undefined for another path. */
const idsIn = (names: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> | undefined => {
  if (names.length !== segments.length) return undefined
  const ids: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? ''
    if (name.startsWith(':')) ids[name.slice(1)] = segment
    else if (name !== segment) return undefined
  }
  return ids
}

/** The switches of a model. @throws MockRefusal for one that the mock does not have */
export const optionsOf = (named: string, body: Fields): MockOptions => {
  const { model, options } = readOptions(named, body.mock)
  if (Object.hasOwn(MOCK_MODELS, model)) return options
  throw new MockRefusal(404, `The mock has no model \`${model}\`.`, 'model', 'model_not_found')
}

/** A body that need not be there. */
const fieldsOf = (text: string): Fields => {
  if (text === '') return {}
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new MockRefusal(400, 'The body is not JSON.')
  }
  if (!isRecord(body)) throw new MockRefusal(400, 'The body must be a JSON object.')
  return body
}

/** A text of the body. @throws MockRefusal naming it */
export const required = (body: Fields, name: string): string => {
  const value = body[name]
  if (typeof value === 'string' && value !== '') return value
  throw new MockRefusal(400, `\`${name}\` must be text.`, name, 'missing_required_parameter')
}

/** Texts of the body. @throws MockRefusal naming them */
export const textsIn = (body: Fields, name: string): readonly string[] => {
  const value = body[name] ?? []
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new MockRefusal(400, `\`${name}\` must be a list of texts.`, name)
}

/** Those of the fields that the body has, each as it is there. */
export const given = (body: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
