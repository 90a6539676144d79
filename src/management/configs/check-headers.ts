import { isGuardrailList } from '../../calls/config/guardrail-fields.ts'
import { isRecord } from '../../core/json/record.ts'
import { addressesOf } from '../guardrails/secrets.ts'
import { type ConfigObject, fieldPath, toFieldName } from './config-tree.ts'

/** Headers that a check sends to a service, which often hold its key: the value of one, or all of them as JSON. */
export interface CheckHeader {
  readonly path: string
  readonly text: string
  readonly isDocument: boolean
  /** The check and where it sends something. */
  readonly destination: string
}

/**
 * Headers of the checks that one level of a config writes out, in each of the forms of a guardrail.
 * @param path of the level
 */
export function* checkHeadersOf(fields: ConfigObject, path: string): Generator<CheckHeader> {
  for (const [key, list] of Object.entries(fields)) {
    if (!isGuardrailList(toFieldName(key)) || !Array.isArray(list)) continue
    for (const [index, guardrail] of list.entries()) {
      if (isRecord(guardrail)) yield* headersOfGuardrail(guardrail, `${fieldPath({ path }, key)}[${index}]`)
    }
  }
}

function* headersOfGuardrail(guardrail: ConfigObject, path: string): Generator<CheckHeader> {
  for (const [key, value] of Object.entries(guardrail)) {
    const place = fieldPath({ path }, key)
    if (isRecord(value)) yield* headersOfCheck(key, value, place)
    if (key !== 'checks' || !Array.isArray(value)) continue
    for (const [index, check] of value.entries()) {
      if (!isRecord(check) || !isRecord(check.parameters)) continue
      yield* headersOfCheck(String(check.id), check.parameters, `${place}[${index}].parameters`)
    }
  }
}

function* headersOfCheck(id: string, parameters: ConfigObject, path: string): Generator<CheckHeader> {
  const { headers } = parameters
  const destination = JSON.stringify([id.includes('.') ? id : `default.${id}`, addressesOf({ parameters })])
  const place = fieldPath({ path }, 'headers')
  if (typeof headers === 'string' && headers !== '') yield { path: place, text: headers, isDocument: true, destination }
  if (!isRecord(headers)) return
  for (const [name, text] of Object.entries(headers)) {
    if (typeof text === 'string') yield { path: fieldPath({ path: place }, name), text, isDocument: false, destination }
  }
}
