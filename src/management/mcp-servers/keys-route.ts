import { Type as t } from '@sinclair/typebox'
import { listPublicKeys } from '../../store/objects/signing-keys.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { SHARED } from './reach.ts'

/** The keys by which MCP servers check what Weir signs of who calls (RFC 7517). */
export const publicKeysRoute: AnyRoute = defineRoute({
  ...SHARED,
  method: 'GET',
  path: '/.well-known/jwks.json',
  roots: [''],
  summary: 'Keys that check who calls, where an MCP server is told so with a signature',
  scopes: ['mcp_servers.read'],
  isPublic: true,
  changes: false,
  response: t.Object({ keys: t.Array(t.Record(t.String(), t.Unknown())) }),
  handle: async ({ db }) => ({ keys: await listPublicKeys(db) }),
})
