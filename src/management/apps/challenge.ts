import { MCP_SCOPE } from '../../mcp/place.ts'
import type { OwnAddress } from '../../people/sessions/origin.ts'
import { resourceMetadataUrl } from './metadata.ts'

/**
 * What `WWW-Authenticate` tells a client that brought no token, or none that is good here: where it learns how to get one
 * (RFC 6750, section 3; RFC 9728, section 5.1).
 */
export const challengeOf = (own: OwnAddress, resourcePath: string, broughtOne: boolean): string => {
  const parts = [
    ...(broughtOne ? ['error="invalid_token"'] : []),
    `resource_metadata="${resourceMetadataUrl(own, `${own.prefix}${resourcePath}`)}"`,
    `scope="${MCP_SCOPE}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}
