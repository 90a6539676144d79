import { defineEndpoint, type Endpoint, type EndpointDefinition, t } from '#kit'
import { rpcErrors } from './errors.ts'

/**
 * Where clients find MCP servers, one or (without a name) all: with the workspace of their key, or named. `/m` stands before the paths that clients of the
 * interface know (behaviours, section 10.2).
 */
const PLACES = [
  { path: '/mcp/:name/mcp', roots: ['', '/v1'] },
  { path: '/:workspace/mcp/:name/mcp', roots: ['', '/v1'] },
  { path: '/mcp', roots: ['', '/v1'] },
  { path: '/:workspace/mcp', roots: ['', '/v1'] },
  { path: '/m/:name/mcp', roots: [''] },
  { path: '/m/:name/:server/mcp', roots: [''] },
] as const

const Message = t.Object({ jsonrpc: t.Literal('2.0') }, { additionalProperties: true })

const aboutMcp = (
  method: 'GET' | 'POST' | 'DELETE',
  definition: Pick<EndpointDefinition, 'id' | 'described' | 'requestTypes' | 'body' | 'answer'>,
): Endpoint =>
  defineEndpoint({
    ...definition,
    operation: 'mcp',
    scopes: ['mcp.invoke'],
    routes: PLACES.map((place) => ({ method, ...place })),
    errors: rpcErrors,
    hasModel: false,
    isCounted: false,
    replay: 'never',
  })

export const postMessages = aboutMcp('POST', {
  id: 'mcp-messages',
  requestTypes: ['mcp'],
  described: { operationId: 'mcpPost', summary: 'Send messages to an MCP server, by streamable HTTP.' },
  body: { kind: 'any', schema: Message },
  answer: { kind: 'json', schema: Message },
})

export const listenToServer = aboutMcp('GET', {
  id: 'mcp-listen',
  requestTypes: ['mcpListen'],
  described: { operationId: 'mcpListen', summary: 'Listen to what an MCP server says without being asked.' },
  body: { kind: 'none' },
  answer: { kind: 'bytes' },
})

export const endSession = aboutMcp('DELETE', {
  id: 'mcp-end',
  requestTypes: ['mcpEnd'],
  described: { operationId: 'mcpEnd', summary: 'End a session with an MCP server.' },
  body: { kind: 'none' },
  answer: { kind: 'bytes' },
})

export const mcpEndpoints: readonly Endpoint[] = [postMessages, listenToServer, endSession]
