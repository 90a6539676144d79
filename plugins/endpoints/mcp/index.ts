import { definePlugin, type Stage, t } from '#kit'
import { mcpEndpoints } from './endpoints.ts'
import { McpCalls } from './mcp-calls.ts'
import { modelTools } from './model-tools/index.ts'

/** Calls of MCP: which server is meant, what of it may be used, what it costs, and the way there and back. */
export default definePlugin({
  name: 'mcp',
  config: t.Object({
    allowedOrigins: t.Array(t.String({ pattern: '^(?:\\*|[a-z][a-z0-9+.-]*://[^/?#*\\s]+)$' }), {
      default: [],
      description:
        'Origins, besides that of the gateway itself, whose pages may call MCP servers; `*` for every one. Others are refused, as a page must not use what only the machine of its visitor can reach.',
    }),
    searchAbove: t.Integer({
      default: 40,
      minimum: 1,
      maximum: 10_000,
      description:
        'Tools that the one address for all servers lists; where there are more, it lists a tool that searches them and one that calls what was found.',
    }),
    maxTurns: t.Integer({
      default: 10,
      minimum: 1,
      maximum: 50,
      description:
        'How often a model is asked for one call that gives it tools of MCP servers; the last time it has to do without them.',
    }),
  }),
  needs: [
    'checkPowers',
    'checks',
    'clock',
    'guardrails',
    'innerCalls',
    'limits',
    'mcp',
    'publicUrl',
    'randomId',
    'records',
  ],
  setup({ allowedOrigins, searchAbove, maxTurns }, host) {
    const calls = new McpCalls(host, { origins: new Set(allowedOrigins), searchAbove })
    const stage: Stage = {
      name: 'mcp',
      endpoints: mcpEndpoints.map(({ id }) => id),
      run: (call) => calls.answer(call),
    }
    return { stages: [stage, modelTools(host, maxTurns)] }
  },
})
