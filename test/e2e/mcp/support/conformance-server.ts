import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

/**
 * The server that the protocol's conformance suite wants to find (`@modelcontextprotocol/conformance` 0.1.16, the descriptions of
 * its server scenarios), made of the official SDK.
 */
export interface ConformanceServer {
  readonly url: string
  readonly host: string
  close(): Promise<void>
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const NOTHING = { type: 'object', properties: {} } as const
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
} as const

const text = (words: string) => ({ type: 'text', text: words })
const image = { type: 'image', data: PNG, mimeType: 'image/png' }
const wait = (): Promise<void> => Bun.sleep(50)

const DEFAULTS = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
}
const titled = (count: number, noun: string) =>
  Array.from({ length: count }, (_, index) => ({ const: `value${index + 1}`, title: `${noun} ${index + 1}` }))
const ENUMS = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled(3, 'Option') },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled(3, 'Choice') } },
  },
}
const USER = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
}

type Extra = Parameters<Parameters<typeof Server.prototype.setRequestHandler>[1]>[1]
type Tool = (args: Readonly<Record<string, unknown>>, extra: Extra) => Promise<object>

const elicit = async (extra: Extra, message: string, requestedSchema: object, words: string): Promise<object> => {
  const request = { method: 'elicitation/create', params: { message, requestedSchema } } as never
  const { action, content } = await extra.sendRequest(request, ElicitResultSchema)
  return { content: [text(`${words}: action=${action}, content=${JSON.stringify(content)}`)] }
}

const TOOLS: Readonly<Record<string, Tool>> = {
  test_simple_text: async () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: async () => ({ content: [image] }),
  test_audio_content: async () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: async () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: async () => ({
    content: [
      text('Multiple content types test:'),
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  async test_tool_with_logging(_args, extra) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data } })
      await wait()
    }
    return { content: [text('Logged.')] }
  },
  test_error_handling: async () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }),
  async test_tool_with_progress(_args, extra) {
    const progressToken = extra._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 }
        await extra.sendNotification({ method: 'notifications/progress', params })
      }
      await wait()
    }
    return { content: [text(String(progressToken))] }
  },
  async test_sampling({ prompt }, extra) {
    const messages = [{ role: 'user', content: text(String(prompt)) }]
    const request = { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } } as never
    const { content } = await extra.sendRequest(request, CreateMessageResultSchema)
    return { content: [text(`LLM response: ${JSON.stringify(content)}`)] }
  },
  test_elicitation: ({ message }, extra) => elicit(extra, String(message), USER, 'User response'),
  test_elicitation_sep1034_defaults: (_args, extra) =>
    elicit(extra, 'Please say who you are', DEFAULTS, 'Elicitation completed'),
  test_elicitation_sep1330_enums: (_args, extra) => elicit(extra, 'Please choose', ENUMS, 'Elicitation completed'),
  json_schema_2020_12_tool: async () => ({ content: [text('It is.')] }),
}

const inputSchemaOf = (name: string) => {
  if (name === 'json_schema_2020_12_tool') return SCHEMA
  const field = name === 'test_sampling' ? 'prompt' : name === 'test_elicitation' ? 'message' : undefined
  return field === undefined
    ? NOTHING
    : { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] }
}

const PROMPTS = [
  { name: 'test_simple_prompt', description: 'A simple one.' },
  {
    name: 'test_prompt_with_arguments',
    description: 'One with arguments.',
    arguments: ['arg1', 'arg2'].map((name) => ({ name, description: name, required: true })),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'One with a resource.',
    arguments: [{ name: 'resourceUri', description: 'Which.', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'One with an image.' },
]

const promptOf = (name: string, args: Readonly<Record<string, string>>): readonly object[] => {
  switch (name) {
    case 'test_prompt_with_arguments':
      return [text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)]
    case 'test_prompt_with_embedded_resource': {
      const resource = { uri: args.resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' }
      return [{ type: 'resource', resource }, text('Please process the embedded resource above.')]
    }
    case 'test_prompt_with_image':
      return [image, text('Please analyze the image above.')]
    default:
      return [text('This is a simple prompt for testing.')]
  }
}

const RESOURCES = [
  { uri: 'test://static-text', name: 'Text', description: 'A text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'Image', description: 'An image.', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'Watched', description: 'It may change.', mimeType: 'text/plain' },
]

const contentOf = (uri: string): object => {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` }
    return { uri, mimeType: 'application/json', text: JSON.stringify(data) }
  }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG }
  return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
}

const createServer = (): Server => {
  const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} }
  const server = new Server({ name: 'conformance', version: '1.0.0' }, { capabilities })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      description: `It is ${name}.`,
      inputSchema: inputSchemaOf(name),
    })) as never,
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = TOOLS[params.name]
    if (tool === undefined) throw new Error(`no tool ${params.name}`)
    return (await tool(params.arguments ?? {}, extra as Extra)) as never
  })
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({ prompts: PROMPTS }))
  server.setRequestHandler(GetPromptRequestSchema, async ({ params: { name, arguments: args = {} } }) => ({
    messages: promptOf(name, args).map((content) => ({ role: 'user', content })) as never,
  }))
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: RESOURCES }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'Data', description: 'Of an id.' }],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => ({
    contents: [contentOf(params.uri)] as never,
  }))
  server.setRequestHandler(SubscribeRequestSchema, async () => ({}))
  server.setRequestHandler(UnsubscribeRequestSchema, async () => ({}))
  server.setRequestHandler(SetLevelRequestSchema, async () => ({}))
  server.setRequestHandler(CompleteRequestSchema, async () => ({
    completion: { values: ['paris'], total: 1, hasMore: false },
  }))
  return server
}

export const startConformanceServer = (): ConformanceServer => {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const begin = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await createServer().connect(transport as never)
    return transport
  }
  const listening = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { hostname } = new URL(request.url)
      const origin = request.headers.get('origin')
      const isLocal = (name: string | undefined): boolean => name === '127.0.0.1' || name === 'localhost'
      if (!isLocal(hostname) || (origin !== null && !isLocal(URL.parse(origin)?.hostname))) {
        return new Response(null, { status: 403 })
      }
      const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
      return (known ?? (await begin())).handleRequest(request)
    },
  })
  const host = `127.0.0.1:${listening.port}`
  return { host, url: `http://${host}/mcp`, close: () => listening.stop(true) }
}
