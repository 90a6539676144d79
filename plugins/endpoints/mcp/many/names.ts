import { createBoundedMap } from '#core/bounded-map'
import type { McpTarget } from '#core/mcp/servers'

/** Names that all clients accept (clients hand them on to models, whose providers take no others). */
const MAX_CHARACTERS = 64
const SEPARATOR = '__'
const DIGEST_CHARACTERS = 22
const PLAIN_NAME = /^[a-zA-Z0-9_-]+$/
/** Neither begins nor ends with `_`, and has no two of them: the first separator of a name is where the slug ends. */
const PLAIN_SLUG = /^[a-zA-Z0-9-]+(?:_[a-zA-Z0-9-]+)*$/

/** Something of one server, as that server calls it. */
export interface OwnName {
  readonly target: McpTarget
  readonly name: string
}

const isPlain = (slug: string, name: string): boolean =>
  PLAIN_SLUG.test(slug) && PLAIN_NAME.test(name) && slug.length + SEPARATOR.length + name.length <= MAX_CHARACTERS

/**
 * What a tool or prompt of a server is called where those of several are together: `slug__name`. Where that could be read in two
 * ways, is too long, or has other letters, `__`, as much of it as has room, `_` and a digest of both: no other name begins so.
 */
export const publicName = (slug: string, name: string): string => {
  if (isPlain(slug, name)) return `${slug}${SEPARATOR}${name}`
  const digest = Bun.CryptoHasher.hash('sha256', JSON.stringify([slug, name]), 'hex').slice(0, DIGEST_CHARACTERS)
  const room = MAX_CHARACTERS - SEPARATOR.length - 1 - DIGEST_CHARACTERS
  const readable = `${slug}_${name}`.replace(/[^a-zA-Z0-9-]+/g, '_').slice(0, room)
  return `${SEPARATOR}${readable}_${digest}`
}

/** Whether only whoever has seen the list knows what is meant. */
export const isDigest = (text: string): boolean => text.startsWith(SEPARATOR)

/** Whose a name is that says so itself. */
export const readPublicName = (targets: readonly McpTarget[], text: string): OwnName | undefined => {
  const end = text.indexOf(SEPARATOR)
  if (end < 1) return undefined
  const slug = text.slice(0, end)
  const name = text.slice(end + SEPARATOR.length)
  const target = isPlain(slug, name) ? targets.find((each) => each.slug === slug) : undefined
  return target && { target, name }
}

const MAX_DIGESTS = 10_000

/** What digests stand for, as lists have told it. */
export class Digests {
  readonly #known = createBoundedMap<string, { readonly slug: string; readonly name: string }>(MAX_DIGESTS)

  learn(slug: string, name: string): string {
    const text = publicName(slug, name)
    if (isDigest(text)) this.#known.set(text, { slug, name })
    return text
  }

  read(targets: readonly McpTarget[], text: string): OwnName | undefined {
    const known = this.#known.get(text)
    const target = known && targets.find(({ slug }) => slug === known.slug)
    return target && { target, name: known.name }
  }
}

const SCHEME = 'weir://'

/** The address of a resource, or a template of such, with the server that has it. */
export const publicUri = (slug: string, uri: string): string => `${SCHEME}${slug}/${uri}`

export const readPublicUri = (targets: readonly McpTarget[], text: string): OwnName | undefined => {
  const end = text.indexOf('/', SCHEME.length)
  if (!text.startsWith(SCHEME) || end < 0) return undefined
  const slug = text.slice(SCHEME.length, end)
  const target = targets.find((each) => each.slug === slug)
  return target && { target, name: text.slice(end + 1) }
}

/** An id, or token, that a server gave out, with the server: those of several do not meet. */
export const publicId = (slug: string, id: unknown): string => `${slug}:${JSON.stringify(id)}`

export const readPublicId = (
  targets: readonly McpTarget[],
  text: unknown,
): { readonly target: McpTarget; readonly id: string | number } | undefined => {
  if (typeof text !== 'string') return undefined
  const end = text.indexOf(':')
  const target = targets.find(({ slug }) => slug === text.slice(0, Math.max(end, 0)))
  if (target === undefined) return undefined
  try {
    const id: unknown = JSON.parse(text.slice(end + 1))
    return typeof id === 'string' || typeof id === 'number' ? { target, id } : undefined
  } catch {
    return undefined
  }
}
