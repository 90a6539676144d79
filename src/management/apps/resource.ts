import { type McpPlace, readMcpPlace } from '../../mcp/place.ts'
import type { OwnAddress } from '../../people/sessions/origin.ts'

/** An MCP server, or all of a workspace, as tokens are bound to it (RFC 8707). */
export interface Resource {
  /** Whole. */
  readonly address: string
  /** Behind the address of the gateway. */
  readonly path: string
  readonly place: McpPlace
}

const MAX_LENGTH = 512

/** @returns undefined for an address where this gateway has no MCP server, whatever it is called */
export const readResource = (text: string, { origin, prefix }: OwnAddress): Resource | undefined => {
  const url = text.length <= MAX_LENGTH ? URL.parse(text) : null
  if (url === null || url.origin !== origin || url.search !== '' || url.hash !== '' || url.username !== '')
    return undefined
  const whole = url.pathname.replace(/(.)\/$/, '$1')
  if (!whole.startsWith(`${prefix}/`)) return undefined
  const path = whole.slice(prefix.length)
  const place = readMcpPlace(path)
  return place && { address: `${origin}${whole}`, path, place }
}
