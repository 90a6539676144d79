import type { TextPlace } from '../../core/guardrails.ts'
import { parseJson } from '../../core/json/json-depth.ts'
import { isRecord } from '../../core/json/record.ts'

type Fields = Readonly<Record<string, unknown>>
type Key = string | number

/**
 * The body with other texts at its places. Nothing of the body itself is changed: what stands on the way to a changed text is
 * copied once, all else is shared. What spells a changed text token by token is
 * emptied.
 * @param texts as many as places, in their order
 * @returns the body itself where every text is what it was
 * @throws Error for a text that is no JSON object where the body has one, and for a place that the body does not have
 */
export const withTexts = <Body extends Fields>(
  body: Body,
  places: readonly Pick<TextPlace, 'path' | 'text' | 'isJson' | 'tokens'>[],
  texts: readonly string[],
): Body => {
  if (texts.length !== places.length)
    throw new Error(`${places.length} texts were given, and ${texts.length} came back`)
  let changed = body
  // Copies that were made for an earlier text of the same body.
  let copies: Set<unknown> | undefined
  for (let index = 0; index < places.length; index++) {
    const place = places[index] as TextPlace
    const text = texts[index] as string
    if (text === place.text) continue
    copies ??= new Set()
    const value = place.isJson === true ? jsonOf(text, place.path) : text
    changed = withValue(changed, place.path, 0, value, copies) as Body
    if (place.tokens !== undefined) changed = withValue(changed, place.tokens, 0, EMPTIED, copies) as Body
  }
  return changed
}

/** Stands for an empty list where a list was, else for null. */
const EMPTIED = Symbol('emptied')

const withValue = (
  container: unknown,
  path: readonly Key[],
  depth: number,
  value: unknown,
  copies: Set<unknown>,
): unknown => {
  if (depth === path.length) return value === EMPTIED ? (Array.isArray(container) ? [] : null) : value
  const key = path[depth] as Key
  const isList = Array.isArray(container)
  if (
    isList ? typeof key !== 'number' || key >= container.length : !isRecord(container) || !Object.hasOwn(container, key)
  )
    throw new Error(`there is no text at ${written(path)}`)
  const copy = copies.has(container) ? container : isList ? container.slice() : { ...(container as Fields) }
  copies.add(copy)
  const fields = copy as Record<Key, unknown>
  fields[key] = withValue(fields[key], path, depth + 1, value, copies)
  return copy
}

/** Its message never has the text in it: errors of checks are told and logged. */
const jsonOf = (text: string, path: readonly Key[]): unknown => {
  try {
    const value = parseJson(text)
    if (isRecord(value)) return value
  } catch {
    // Told below.
  }
  throw new Error(`the text for ${written(path)} must be a JSON object, as the body has one there`)
}

const written = (path: readonly Key[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  )
