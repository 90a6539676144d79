import type { Asked, Scene } from '../scenes.ts'

/** A provider in its own wire form. */
export interface ProviderForm {
  /** Path of its calls, as it arrives. */
  readonly path: RegExp
  readonly streamType?: string
  asksForStream(path: string, body: Fields): boolean
  read(body: Fields): Asked
  whole(scene: Scene): object
  /** What goes over the socket, piece by piece; where a stream breaks, it is the last of them. */
  pieces(scene: Scene): readonly (string | Uint8Array)[]
  /** Body of an error. */
  error(status: number): object
}

/** An object of a stranger. */
export type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** What stands at a path of names with dots between them; undefined where it leads nowhere. */
export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, name) => (isFields(found) ? found[name] : undefined), value)

export const event = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

export const textAt = (value: unknown, path: string): string => {
  const found = at(value, path)
  return typeof found === 'string' ? found : ''
}

export const numberAt = (value: unknown, path: string): number | undefined => {
  const found = at(value, path)
  return typeof found === 'number' ? found : undefined
}

export const stringsAt = (value: unknown, path: string): readonly string[] => {
  const found = at(value, path)
  return typeof found === 'string'
    ? [found]
    : Array.isArray(found)
      ? found.filter((each) => typeof each === 'string')
      : []
}

/** The texts of a content that may be one text or a list of parts. */
export const textsOf = (content: unknown): readonly string[] =>
  typeof content === 'string'
    ? [content]
    : listOf(content).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
