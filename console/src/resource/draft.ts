import { Failure } from '../api/failure.ts'
import type { Draft } from './fields-dialog.tsx'

type Json = Record<string, unknown>

/** Only the fields that hold something, for what is made. */
export const given = <Name extends string>(draft: Draft, ...names: readonly Name[]): Partial<Record<Name, string>> =>
  Object.fromEntries(names.flatMap((name) => (draft[name] ? [[name, draft[name]]] : []))) as Partial<
    Record<Name, string>
  >

/** A text, or null where it was cleared. */
export const orNull = (draft: Draft, name: string): string | null => draft[name] || null

/** What a JSON field holds; undefined where it is empty. @throws Failure that says where it is none */
export const jsonOf = (draft: Draft, name: string): Json | undefined => {
  const text = draft[name]?.trim() ?? ''
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw new Failure(`This is no JSON: ${thrown instanceof Error ? thrown.message : thrown}`, 400, { param: name })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw new Failure('This must be an object in braces.', 400, { param: name })
}

/** An object as a field shows it. */
export const toJsonText = (value: object | null): string =>
  value === null || Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)
