import { ScimFault } from './fault.ts'

interface Changed {
  readonly lastUpdatedAt: Date
}

/** Changes with each change of the object itself; weak, as what it refers to may change without it. */
export const versionOf = ({ lastUpdatedAt }: Changed): string => `W/"${lastUpdatedAt.getTime().toString(36)}"`

/** What a call says of the versions that it knows: `If-Match`, `If-None-Match`. */
export interface KnownVersions {
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

const names = (header: string, version: string): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(version))

/** Versions are compared weakly (RFC 9110, section 8.8.3.2). */
const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether the client has this version already. */
export const isKnown = ({ ifNoneMatch }: KnownVersions, object: Changed): boolean =>
  ifNoneMatch !== undefined && names(ifNoneMatch, versionOf(object))

/** @throws ScimFault, status 412, where the object is not as the client knows it */
export const requireVersion = ({ ifMatch }: KnownVersions, object: Changed): void => {
  if (ifMatch === undefined || names(ifMatch, versionOf(object))) return
  throw new ScimFault(undefined, 'It was changed since the version of `If-Match`: read it again.', 412)
}
