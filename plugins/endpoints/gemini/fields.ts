import { InvalidRequest, isRecord } from '#kit'

export type Fields = Readonly<Record<string, unknown>>

const SNAKE = new Map<string, string>()

const snakeOf = (name: string): string => {
  const known = SNAKE.get(name)
  if (known !== undefined) return known
  const made = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  SNAKE.set(name, made)
  return made
}

/**
 * A field by its name in camel case. Google takes the name of its definition too, in snake case ("ProtoJSON Format" of
 * protobuf.dev, part "Field names", read 2026-11-22). Null is the same as nothing.
 * @param name written by us, never by a client
 */
export const fieldOf = (fields: Fields, name: string): unknown => fields[name] ?? fields[snakeOf(name)] ?? undefined

/** `a_field` as `aField`: the name under which a client finds it in the documentation. */
export const camelOf = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const refuse = (param: string, problem: string): InvalidRequest =>
  new InvalidRequest(`\`${param}\` ${problem}.`, { param })

/** An object, or nothing. @throws InvalidRequest naming the field */
export const recordAt = (fields: Fields, name: string, place = ''): Fields | undefined => {
  const value = fieldOf(fields, name)
  if (value === undefined || isRecord(value)) return value
  throw refuse(`${place}${name}`, 'must be an object')
}

/** A list of objects; an empty one for nothing. @throws InvalidRequest naming the field */
export const recordsAt = (fields: Fields, name: string, place = ''): readonly Fields[] => {
  const value = fieldOf(fields, name)
  if (value === undefined) return []
  if (!Array.isArray(value)) throw refuse(`${place}${name}`, 'must be an array')
  return value.map((item: unknown, index) => {
    if (isRecord(item)) return item
    throw refuse(`${place}${name}[${index}]`, 'must be an object')
  })
}

/** A text, or nothing. @throws InvalidRequest naming the field */
export const textAt = (fields: Fields, name: string, place = ''): string | undefined => {
  const value = fieldOf(fields, name)
  if (value === undefined || typeof value === 'string') return value
  throw refuse(`${place}${name}`, 'must be a string')
}
