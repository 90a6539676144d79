import { Failure } from '../api/failure.ts'
import type { CheckField, KnownCheck } from './known-check.ts'
import { KNOWN_CHECKS } from './known-checks.ts'

/** A check as a form holds it: each parameter is a text. */
export interface CheckDraft {
  readonly id: string
  /** What somebody called it. */
  readonly name: string | undefined
  readonly isEnabled: boolean
  readonly texts: Readonly<Record<string, string>>
}

type Parameters = Record<string, unknown>

/** All parameters of a check that nothing here knows, as one JSON text. */
const WHOLE = 'parameters'

const UNKNOWN_FIELDS: readonly CheckField[] = [{ name: WHOLE, isRequired: false, kind: 'json' }]

const knownCheck = (id: string): KnownCheck | undefined => KNOWN_CHECKS.find((check) => check.id === id)

/** Those of plugins are not known here: their parameters are JSON. */
export const fieldsOf = (id: string): readonly CheckField[] => knownCheck(id)?.fields ?? UNKNOWN_FIELDS

export const summaryOf = (id: string): string => knownCheck(id)?.summary ?? 'A check of a plugin.'

export const newCheck = (id: string): CheckDraft => ({ id, name: undefined, isEnabled: true, texts: {} })

export const toCheckDraft = (check: {
  readonly id: string
  readonly name?: string
  readonly is_enabled: boolean
  readonly parameters: Readonly<Parameters>
}): CheckDraft => {
  const isKnown = knownCheck(check.id) !== undefined
  const texts = isKnown
    ? Object.fromEntries(
        fieldsOf(check.id).flatMap((field) => {
          const value = check.parameters[field.name]
          return value === undefined ? [] : [[field.name, toText(field, value)]]
        }),
      )
    : { [WHOLE]: JSON.stringify(check.parameters, null, 2) }
  return { id: check.id, name: check.name, isEnabled: check.is_enabled, texts }
}

const toText = ({ kind }: CheckField, value: unknown): string => {
  if (kind === 'lines' && Array.isArray(value)) return value.join('\n')
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

/** As the interface takes it. @throws Failure for JSON that is none */
export const toCheck = ({ id, name, isEnabled, texts }: CheckDraft) => {
  const read = fieldsOf(id).flatMap((field): readonly (readonly [string, unknown])[] => {
    const text = texts[field.name] ?? ''
    return text === '' ? [] : [[field.name, toValue(id, field, text)]]
  })
  const parameters: Parameters = Object.fromEntries(read)
  const whole = parameters[WHOLE]
  const isWhole = knownCheck(id) === undefined && typeof whole === 'object' && whole !== null
  return {
    ...{ id, is_enabled: isEnabled, parameters: isWhole ? (whole as Parameters) : parameters },
    ...(name === undefined ? {} : { name }),
  }
}

const toValue = (id: string, { name, kind }: CheckField, text: string): unknown => {
  if (kind === 'number') return Number(text)
  if (kind === 'flag') return text === 'true'
  if (kind === 'lines') return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  if (kind !== 'json') return text
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new Failure(`${name} of ${id} is no JSON: ${thrown instanceof Error ? thrown.message : thrown}`, 400)
  }
}
