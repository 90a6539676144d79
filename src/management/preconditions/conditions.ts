import { ManagementInvalid } from '../../errors/gateway-error.ts'

/** What a header names: whatever is there, or some tags. */
type Tags = '*' | readonly { readonly tag: string; readonly isWeak: boolean }[]

/** What must hold before a call is done (RFC 9110, section 13). */
export interface Conditions {
  /** It is one of these now. */
  readonly ifMatch?: Tags | undefined
  /** It is none of these now. */
  readonly ifNoneMatch?: Tags | undefined
}

/** @throws ManagementInvalid for a header that is no list of tags */
export const readConditions = (headers: Headers): Conditions => ({
  ifMatch: readTags(headers, 'If-Match'),
  ifNoneMatch: readTags(headers, 'If-None-Match'),
})

/** An element of the list, which may be empty, and what ends it. */
const ELEMENT = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*"))?[ \t]*(?:,|$)/y

const readTags = (headers: Headers, name: string): Tags | undefined => {
  const text = headers.get(name)
  if (text === null) return undefined
  if (text.trim() === '*') return '*'
  const tags: { tag: string; isWeak: boolean }[] = []
  for (let at = 0; at < text.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at
    const found = ELEMENT.exec(text)
    if (found === null) throw unreadable(name)
    const [, weak, tag] = found
    if (tag !== undefined) tags.push({ tag, isWeak: weak !== undefined })
  }
  if (tags.length === 0) throw unreadable(name)
  return tags
}

const unreadable = (name: string): ManagementInvalid =>
  refusedHeader(name, 'must be `*`, or tags in quotes with commas between, as `ETag` has them')

export const refusedHeader = (name: string, message: string): ManagementInvalid =>
  new ManagementInvalid(`The header \`${name}\` ${message}.`, { param: name, violations: [{ path: name, message }] })

/** A weak tag is never the one that is there. */
export const matches = (tags: Tags, current: string): boolean =>
  tags === '*' || tags.some(({ tag, isWeak }) => !isWeak && tag === current)

/** Whether the client has what is there, where it does not matter how exactly. */
export const matchesWeakly = (tags: Tags, current: string): boolean =>
  tags === '*' || tags.some(({ tag }) => tag === current)
