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

/** JSON that is looked into without types of its own. */
// biome-ignore lint/suspicious/noExplicitAny: the form of a stranger's request, which the test reads
export type Fields = Record<string, any>

export const event = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : [])

/** The texts of a content that may be one text or a list of parts. */
export const textsOf = (content: unknown): readonly string[] => {
  if (typeof content === 'string') return [content]
  return listOf(content).flatMap((part) => (typeof part.text === 'string' ? [part.text] : []))
}
