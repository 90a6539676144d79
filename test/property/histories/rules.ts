import { isRecord } from '../../../src/core/json/record.ts'

/**
 * What providers' documentation and public error messages say they refuse in a conversation, as far as a request can break
 * it. All read 2026-11-22.
 */

type Fields = Readonly<Record<string, unknown>>

/** Gives the rules that a request breaks, in the provider's words. */
export type Rules = (body: Fields) => readonly string[]

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const isJsonObject = (text: unknown): boolean => {
  try {
    return isRecord(JSON.parse(String(text)))
  } catch {
    return false
  }
}

const broken = (rules: readonly (readonly [rule: string, isBroken: boolean])[]): readonly string[] =>
  rules.flatMap(([rule, isBroken]) => (isBroken ? [rule] : []))

const isEmpty = (content: unknown): boolean =>
  content === undefined || content === null || (Array.isArray(content) && content.length === 0)

/** Types of openai 7.55; docker/docker-agent #63, openai/openai-node #1341 and #1030, agno-agi/agno #5382. */
const openai: Rules = ({ messages }) =>
  listOf(messages).flatMap((message) => {
    const calls = listOf(message.tool_calls)
    const isAnswer = message.role === 'assistant'
    const isSaid =
      calls.length > 0 ||
      isRecord(message.function_call) ||
      typeof message.refusal === 'string' ||
      isRecord(message.audio)
    return broken([
      ["Invalid value for 'content': expected a string, got null", isAnswer && !isSaid && isEmpty(message.content)],
      ['Invalid tool_calls: empty array', Array.isArray(message.tool_calls) && calls.length === 0],
      [
        "Image URLs are only allowed for messages with role 'user'",
        message.role !== 'user' && listOf(message.content).some(({ type }) => type !== 'text' && type !== 'refusal'),
      ],
      [
        'id: string too long',
        [message, ...calls].some(({ id, tool_call_id: of }) => String(of ?? id ?? '').length > 40),
      ],
      ['Unknown parameter: tool_calls[].extra_content', calls.some((call) => 'extra_content' in call)],
      ['Unknown parameter', FOREIGN.some((name) => name in message)],
    ])
  })

const FOREIGN = ['content_blocks', 'reasoning', 'reasoning_content', 'reasoning_details', 'executed_tools', 'images']

const string = ({ messages }: Fields): readonly string[] =>
  listOf(messages).flatMap(({ role, content }) =>
    broken([
      ['invalid type: sequence, expected a string', role !== 'user' && Array.isArray(content)],
      ['missing field `content`', content === undefined],
    ]),
  )

const unlisted =
  (assistant: readonly string[], tool: readonly string[]): Rules =>
  ({ messages }) =>
    listOf(messages).flatMap((message) => {
      const listed = message.role === 'assistant' ? assistant : message.role === 'tool' ? tool : []
      return Object.keys(message)
        .filter((name) => !['role', 'content', ...listed].includes(name))
        .map((name) => `property '${name}' is unsupported`)
    })

const nullContent: Rules = ({ messages }) =>
  listOf(messages)
    .filter(
      ({ role, content, tool_calls: calls }) => role === 'assistant' && content == null && listOf(calls).length === 0,
    )
    .map(() => 'invalid message content type')

/** openclaw/openclaw #875; types of @openrouter/sdk 1.3.19, which have a refusal. */
const openrouter: Rules = ({ messages, ...rest }) => {
  const spoken = listOf(messages).filter(({ refusal }) => typeof refusal !== 'string')
  const own = listOf(messages).map(
    ({ reasoning: _, reasoning_details: _details, images: _images, ...message }) => message,
  )
  return [...nullContent({ ...rest, messages: spoken }), ...openai({ ...rest, messages: own })]
}

/** CherryHQ/cherry-studio #3307, janhq/jan #8136, types of groq-sdk 1.6.0. */
const groq: Rules = (body) => [
  ...string(body),
  ...unlisted(['reasoning', 'tool_calls', 'function_call'], ['tool_call_id'])(body),
  ...nullContent(body),
]

/** BerriAI/litellm #6642, pig-mesh/deepseek4j #41, opencode #24083. */
const deepseek: Rules = (body) => [
  ...string(body),
  ...nullContent(body),
  ...listOf(body.messages)
    .filter(
      ({ role, tool_calls: calls, reasoning_content: said }) =>
        role === 'assistant' && listOf(calls).length > 0 && typeof said !== 'string',
    )
    .map(() => 'The `reasoning_content` in the thinking mode must be passed back'),
]

/** ollama/ollama, openai/openai.go. */
const ollama: Rules = (body) => [
  ...nullContent(body),
  ...listOf(body.messages)
    .flatMap(({ tool_calls: calls }) => listOf(calls))
    .filter(({ function: called }) => !isRecord(called) || !isJsonObject(called.arguments))
    .map(() => 'invalid tool call arguments'),
]

/** mistral-common 1.13.1, validator.py; types of mistralai 3.7.0; OpenHands/OpenHands #8685. */
const mistral: Rules = (body) => {
  const messages = listOf(body.messages)
  const last = messages.at(-1)
  return [
    ...unlisted(['tool_calls', 'prefix'], ['name', 'tool_call_id'])(body),
    ...messages.flatMap((message, index) => {
      const before = messages[index - 1]?.role
      const calls = listOf(message.tool_calls)
      const ids = [message.tool_call_id, ...calls.map(({ id }) => id)].filter((id) => id !== undefined)
      return broken([
        [
          'Assistant message must have either content or tool_calls, but not none',
          message.role === 'assistant' && calls.length === 0 && (isEmpty(message.content) || message.content === ''),
        ],
        ["Unexpected role 'system'", message.role === 'system' && (before === 'assistant' || before === 'tool')],
        ["Unexpected role 'user' after role 'tool'", message.role === 'user' && before === 'tool'],
        [
          'Tool call id must be a-z, A-Z, 0-9, with a length of 9',
          ids.some((id) => !/^[a-zA-Z0-9]{9}$/.test(String(id))),
        ],
      ])
    }),
    ...broken([
      [
        'Expected last role User or Tool',
        last?.role === 'system' || (last?.role === 'assistant' && last.prefix !== true),
      ],
    ]),
  ]
}

/** ding113/claude-code-hub #518, tailcallhq/forgecode #2107, agenticloops-ai #43, home-assistant/core #175637; "Thinking". */
const anthropic: Rules = ({ messages, model }) => {
  const turns = listOf(messages)
  return [
    ...broken([
      [
        'The conversation must end with a user message',
        turns.at(-1)?.role !== 'user' &&
          listOf(turns.at(-1)?.content).at(-1)?.type === 'text' &&
          model !== 'claude-sonnet-4-5',
      ],
      ['roles must alternate', turns.some(({ role }, index) => role === turns[index - 1]?.role)],
    ]),
    ...turns.flatMap(({ role, content }) => {
      const blocks = listOf(content)
      return broken([
        ['content must not be empty', blocks.length === 0],
        [
          'text content blocks must contain non-whitespace text',
          blocks.some(({ type, text }) => type === 'text' && !/\S/.test(String(text))),
        ],
        ['The final block cannot be `thinking`', /thinking/.test(String(blocks.at(-1)?.type))],
        [
          'Invalid `signature` in `thinking` block',
          blocks.some(({ type, signature }) => type === 'thinking' && !isSealed(signature)),
        ],
        ['Extra inputs are not permitted', blocks.some((block) => 'extra_content' in block)],
        ['image in a turn of the assistant', role === 'assistant' && blocks.some(({ type }) => type === 'image')],
        [
          'tool_use.id: must match',
          blocks.some(({ type, id }) => type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(id))),
        ],
        [
          'tool_use.input: must be an object',
          blocks.some(({ type, input }) => type === 'tool_use' && !isRecord(input)),
        ],
      ])
    }),
  ]
}

/** The seals of the fixtures of each provider, so that none is taken for the other's. */
const isSealed = (signature: unknown): boolean =>
  typeof signature === 'string' && signature !== '' && !signature.startsWith('google-')

/** google-gemini/gemini-cli #11814, vercel/ai #3775, crewAIInc/crewAI #6973, lbjlaq/Antigravity-Manager #3342. */
const google: Rules = ({ contents }) => {
  const turns = listOf(contents)
  const calls = (turn: Fields | undefined): boolean => listOf(turn?.parts).some((part) => 'functionCall' in part)
  const signatures = turns.flatMap(({ parts }) => listOf(parts)).map(({ thoughtSignature: signature }) => signature)
  return broken([
    ['contents.parts must not be empty', turns.some(({ parts }) => listOf(parts).length === 0)],
    [
      'function call turn comes immediately after a user turn',
      turns.some((turn, index) => calls(turn) && turns[index - 1]?.role !== 'user'),
    ],
    ['ends on a model turn', turns.at(-1)?.role === 'model' && !calls(turns.at(-1))],
    [
      'Invalid thought signature',
      signatures.some((seal) => seal !== undefined && seal !== PLACEHOLDER && !String(seal).startsWith('google-')),
    ],
    ['text must be set', turns.flatMap(({ parts }) => listOf(parts)).some((part) => Object.keys(part).length === 0)],
  ])
}

/** BerriAI/litellm #9720. */
const xai: Rules = (body) => [
  ...nullContent(body),
  ...listOf(body.messages)
    .filter(({ role, name }) => role !== 'user' && name !== undefined)
    .map(() => 'Only messages of role "user" can have a name'),
]

/** Public reports of Perplexity's `invalid_message`. */
const perplexity: Rules = ({ messages }) => {
  const all = listOf(messages)
  const turns = all.filter(({ role }) => role !== 'system')
  const said = turns.filter(({ role, tool_calls: calls }) => role !== 'tool' && listOf(calls).length === 0)
  return broken([
    ['system message(s) come first', all.slice(0, all.length - turns.length).some(({ role }) => role !== 'system')],
    ['Last message must have role `user` or `tool`', turns.at(-1)?.role === 'assistant'],
    [
      'user or tool message(s) should alternate with assistant message(s)',
      turns[0]?.role === 'assistant' ||
        said.some(
          (turn) =>
            turn.role === turns[turns.indexOf(turn) - 1]?.role && said.includes(turns[turns.indexOf(turn) - 1] ?? {}),
        ),
    ],
  ])
}

/** opencodeschool/opencode.school #174. */
const workers: Rules = (body) => [
  ...string(body),
  ...listOf(body.messages)
    .filter(({ content }) => content === null)
    .map(() => "Type mismatch of '/messages/0/content', 'null' not in 'string'"),
]

/** Public reports of Moonshot's 400; BerriAI/litellm 1.109.1, moonshot/chat/transformation.py. */
const moonshot: Rules = ({ messages }) =>
  listOf(messages)
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content, tool_calls: calls, reasoning_content: said }) =>
      broken([
        [
          "the message with role 'assistant' must not be empty",
          listOf(calls).length === 0 && (isEmpty(content) || content === ''),
        ],
        ['reasoning_content is missing in a message with tool calls', listOf(calls).length > 0 && !said],
      ]),
    )

/** Page "Thought signatures", part "FAQs". */
const PLACEHOLDER = 'skip_thought_signature_validator'

/** Models that differ in what they take, with their rules. */
export const RULES: Readonly<Record<string, { readonly models: readonly string[]; readonly rules: Rules }>> = {
  openai: { models: ['gpt-5.2'], rules: openai },
  'azure-openai': { models: ['gpt-5.2'], rules: openai },
  groq: { models: ['llama-3.3-70b-versatile', 'openai/gpt-oss-120b'], rules: groq },
  deepseek: { models: ['deepseek-v4-flash'], rules: deepseek },
  ollama: { models: ['qwen3'], rules: ollama },
  'mistral-ai': { models: ['mistral-large-latest'], rules: mistral },
  'together-ai': { models: ['meta-llama/Llama-3.3-70B-Instruct-Turbo'], rules: nullContent },
  openrouter: { models: ['anthropic/claude-sonnet-4.5'], rules: openrouter },
  anthropic: { models: ['claude-opus-5-5', 'claude-sonnet-4-5'], rules: anthropic },
  google: { models: ['gemini-3.8-flash', 'gemini-2.5-flash'], rules: google },
  xai: { models: ['grok-4.3'], rules: xai },
  'perplexity-ai': { models: ['sonar-pro'], rules: perplexity },
  'workers-ai': { models: ['@cf/openai/gpt-oss-120b'], rules: workers },
  moonshot: { models: ['kimi-k3'], rules: moonshot },
}
