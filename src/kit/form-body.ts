import type { TObject } from '@sinclair/typebox'
import type { EndpointBody, FileRule } from '../core/endpoint.ts'
import { FormFile } from '../core/forms/form-file.ts'
import { InvalidRequest } from '../errors/gateway-error.ts'
import { checkOf } from './json-body.ts'

/**
 * A `multipart/form-data` body. Its fields are parameters like those of a JSON body, read as the schema says: numbers, booleans,
 * lists (`name[]`, or the name several times) and objects (`name[key]`, or JSON); others pass as texts.
 *
 * @example
 * formBody(t.Object({ model: Model, temperature: maybe(t.Number()) }), { file: { required: true, types: ['audio/'] } })
 */
export const formBody = (
  schema: TObject,
  files: Readonly<Record<string, FileRule>>,
): EndpointBody & { readonly kind: 'multipart' } => {
  const checkFields = checkOf(schema)
  return {
    kind: 'multipart',
    schema,
    files,
    check(params) {
      for (const [name, rule] of Object.entries(files)) checkFiles(name, rule, params[name])
      checkFields(params)
    },
  }
}

const checkFiles = (name: string, { required, max = 1, types }: FileRule, value: unknown): void => {
  const refuse = (problem: string): never => {
    throw new InvalidRequest(`\`${name}\` ${problem}.`, { param: name })
  }
  if (value === undefined || value === null) {
    if (required === true) refuse('is required: send it as a file')
    return
  }
  const files: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (files.length > max) refuse(max === 1 ? 'must be one file' : `must be at most ${max} files`)
  for (const file of files) {
    const { size, type } = file instanceof FormFile ? file : refuse('must be a file of the form')
    if (size === 0) refuse('is empty')
    const isAnything = type === '' || type === 'application/octet-stream'
    if (!isAnything && types?.some((taken) => type.startsWith(taken)) === false) {
      const taken = types.map((each) => (each.endsWith('/') ? `${each}*` : each)).join(', ')
      refuse(`must be of the type ${taken}, and not ${type.slice(0, MAX_TYPE_CHARACTERS)}`)
    }
  }
}

/** A content type is the client's own word: a sentence of an error shall not be longer for it. */
const MAX_TYPE_CHARACTERS = 60
