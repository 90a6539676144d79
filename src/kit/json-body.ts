import { KindGuard, type TObject, type TSchema, Type as t } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler, type ValueError } from '@sinclair/typebox/compiler'
import type { EndpointBody } from '../core/endpoint.ts'
import { InvalidRequest } from '../errors/gateway-error.ts'

/** What is wrong with a value that does not fit: `must be a number`. */
type Problem = (value: unknown) => string

const PROBLEM = Symbol('problem')

/** A schema that says in words of its own what is wrong with a value. They stand in no document. */
export const worded = <Schema extends TSchema>(schema: Schema, problem: string | Problem): Schema => ({
  ...schema,
  [PROBLEM]: typeof problem === 'string' ? () => problem : problem,
})

/** A field that may be left out, or null. */
export const maybe = (schema: TSchema): TSchema => {
  const forms = KindGuard.IsUnion(schema) ? schema.anyOf : [schema]
  return t.Optional(worded(t.Union([...forms, t.Null()]), problemOf(schema)))
}

/** A body of one JSON object. Its schema names the fields that are looked at; others pass. */
export const jsonBody = (schema: TObject): EndpointBody & { readonly kind: 'json' } => ({
  kind: 'json',
  schema,
  check: checkOf(schema),
})

/** Checks an object, in words of ours. Compiled when it is first needed. @returns throws InvalidRequest naming the field */
export const checkOf = (schema: TObject): ((params: Readonly<Record<string, unknown>>) => void) => {
  let compiled: TypeCheck<TObject> | undefined
  return (params) => {
    compiled ??= TypeCompiler.Compile(schema)
    if (compiled.Check(params)) return
    const error = compiled.Errors(params).First()
    if (error !== undefined) throw refusal(innermost(error))
  }
}

const refusal = ({ path, value, schema }: ValueError): InvalidRequest => {
  const param = path
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
  const problem = value === undefined ? 'is required' : problemOf(schema)(value)
  return new InvalidRequest(`\`${param}\` ${problem}.`, { param })
}

/** In a list that may also be a text, the error is where the list goes wrong, if it is one of objects. */
const innermost = (error: ValueError): ValueError => {
  const variants: readonly TSchema[] = KindGuard.IsUnion(error.schema) ? error.schema.anyOf : []
  const lists = variants.findIndex((each) => KindGuard.IsArray(each) && KindGuard.IsObject(each.items))
  const inner = Array.isArray(error.value) ? error.errors[lists]?.First() : undefined
  return inner === undefined ? error : innermost(inner)
}

const problemOf = (schema: TSchema): Problem => {
  const own = (schema as { readonly [PROBLEM]?: Problem })[PROBLEM]
  return own ?? (() => `must be ${NAMES[String(schema.type)] ?? 'of another type'}`)
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  number: 'a number',
  integer: 'a whole number',
  array: 'an array',
  object: 'an object',
}
