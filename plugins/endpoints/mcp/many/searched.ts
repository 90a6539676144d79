/** The tools that stand in for a list that is too long. Their names have no separator: no tool of a server is called so. */
export const SEARCH_TOOLS = 'search_tools'
export const CALL_TOOL = 'call_tool'

export const SEARCH_LIMIT = 10
export const MAX_SEARCH_LIMIT = 50

export const STAND_INS = [
  {
    name: SEARCH_TOOLS,
    title: 'Search tools',
    description:
      'Finds tools by words of their names and descriptions. Answers with names, descriptions and input schemas, the best first.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words of what the tool is to do.' },
        limit: { type: 'integer', minimum: 1, maximum: MAX_SEARCH_LIMIT, default: SEARCH_LIMIT },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: CALL_TOOL,
    title: 'Call a tool',
    description: `Calls a tool that ${SEARCH_TOOLS} has found, with arguments as its input schema has them.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: `A name that ${SEARCH_TOOLS} has answered with.` },
        arguments: { type: 'object', additionalProperties: true },
      },
      required: ['name'],
    },
  },
] as const
