import { describe, expect, test } from 'bun:test'
import { InvalidRequest } from '#kit'
import { toChat } from './by-chat.ts'
import { toSignature } from './signatures.ts'

const user = (...parts: unknown[]) => ({ role: 'user', parts })
const model = (...parts: unknown[]) => ({ role: 'model', parts })

const chatOf = (fields: Record<string, unknown>) =>
  toChat({ model: 'm', stream: false, contents: [user({ text: 'Hello' })], ...fields })

const faultOf = (fields: Record<string, unknown>): string | undefined => {
  try {
    chatOf(fields)
  } catch (thrown) {
    if (thrown instanceof InvalidRequest) return thrown.options.param
    throw thrown
  }
  return undefined
}

describe('a request of Gemini as a chat', () => {
  test('says everything that a chat knows, in either case of its names', () => {
    const config = {
      temperature: 0.5,
      topP: 0.9,
      topK: 4,
      candidateCount: 2,
      maxOutputTokens: 10,
      stopSequences: ['a'],
      seed: 7,
      presencePenalty: 1,
      frequencyPenalty: -1,
      responseLogprobs: true,
      logprobs: 3,
      responseModalities: ['TEXT'],
    }
    const expected = {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 4,
      n: 2,
      max_completion_tokens: 10,
      stop: ['a'],
      seed: 7,
      presence_penalty: 1,
      frequency_penalty: -1,
      logprobs: true,
      top_logprobs: 3,
    }
    const system = { parts: [{ text: 'Be brief.' }] }
    expect(chatOf({ systemInstruction: system, generationConfig: config })).toEqual({ request: expected, dropped: [] })
    const snake = Object.fromEntries(
      Object.entries(config).map(([name, value]) => [
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        value,
      ]),
    )
    expect(chatOf({ system_instruction: system, generation_config: snake })).toEqual({ request: expected, dropped: [] })
  })

  test('asks for the usage of a stream', () => {
    expect(chatOf({ stream: true }).request).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  test('names what it loses, once and in words of Gemini', () => {
    const { request, dropped } = chatOf({
      safety_settings: [],
      cachedContent: 'cachedContents/1',
      labels: { a: 'b' },
      tools: [{ googleSearch: {}, code_execution: {} }, { googleSearch: {} }],
      toolConfig: { retrievalConfig: {} },
      generationConfig: { mediaResolution: 'LOW', responseModalities: ['IMAGE'], responseMimeType: 'text/x.enum' },
    })
    expect(dropped).toEqual([
      'safetySettings',
      'cachedContent',
      'labels',
      'tools[].googleSearch',
      'tools[].codeExecution',
      'toolConfig.retrievalConfig',
      'generationConfig.mediaResolution',
      'generationConfig.responseModalities',
      'generationConfig.responseMimeType',
    ])
    expect(Object.keys(request)).toEqual(['model', 'messages'])
  })

  test.each([
    [{ thinkingLevel: 'LOW' }, 'low'],
    [{ thinking_level: 'minimal' }, 'minimal'],
    [{ thinkingBudget: 0 }, 'none'],
    [{ thinkingBudget: 1024 }, 'low'],
    [{ thinkingBudget: 1025 }, 'medium'],
    [{ thinkingBudget: 24_576 }, 'high'],
    [{ thinkingBudget: -1 }, undefined],
    [{ includeThoughts: true }, undefined],
  ])('thinks as %j says: %s', (thinkingConfig, effort) => {
    expect(chatOf({ generationConfig: { thinkingConfig } }).request.reasoning_effort).toBe(effort)
  })

  test('has functions, and the choice among them', () => {
    const declarations = [
      { name: 'f', description: 'F', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } },
      { name: 'g', parametersJsonSchema: { type: 'object', additionalProperties: false } },
      { name: 'h', response: { type: 'STRING' } },
    ]
    const tools = [{ functionDeclarations: declarations.slice(0, 1) }, { function_declarations: declarations.slice(1) }]
    const { request, dropped } = chatOf({ tools })
    expect(request.tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'f',
          description: 'F',
          parameters: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
      { type: 'function', function: { name: 'g', parameters: { type: 'object', additionalProperties: false } } },
      { type: 'function', function: { name: 'h' } },
    ])
    expect(dropped).toEqual(['tools[].functionDeclarations[].response'])
    const named = (name: string) => ({ type: 'function', function: { name } })
    const choiceOf = (functionCallingConfig: unknown) =>
      chatOf({ tools, toolConfig: { functionCallingConfig } }).request.tool_choice
    expect(choiceOf({ mode: 'AUTO' })).toBe('auto')
    expect(choiceOf({ mode: 'VALIDATED' })).toBe('auto')
    expect(choiceOf({ mode: 'NONE' })).toBe('none')
    expect(choiceOf({ mode: 'ANY' })).toBe('required')
    expect(choiceOf({ mode: 'ANY', allowedFunctionNames: ['f'] })).toEqual(named('f'))
    expect(choiceOf({ mode: 'ANY', allowed_function_names: ['f', 'g'] })).toEqual({
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [named('f'), named('g')] },
    })
    expect(chatOf({ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }).request).not.toHaveProperty('tool_choice')
  })

  test('keeps calls and their results together, with ids or without', () => {
    const extra = { anthropic: { blocks: [{ type: 'thinking', thinking: 'so', signature: 's' }] } }
    const { messages } = chatOf({
      contents: [
        user({ text: 'Weather?' }),
        model(
          { text: 'hm', thought: true },
          { text: 'Let me look.' },
          { functionCall: { name: 'w', args: { city: 'Rome' } }, thoughtSignature: toSignature(extra) },
          { functionCall: { name: 'w', args: { city: 'Oslo' } }, thoughtSignature: 'Z29vZ2xl' },
          { functionCall: { id: 'mine', name: 't' } },
        ),
        user(
          { functionResponse: { id: 'mine', name: 't', response: { time: 1 } } },
          { functionResponse: { name: 'w', response: { sky: 'blue' } } },
          { functionResponse: { name: 'w', response: { sky: 'grey' } } },
        ),
      ],
    }).request as { messages: unknown[] }
    expect(messages).toEqual([
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        reasoning_content: 'hm',
        tool_calls: [
          {
            id: 'call_0',
            type: 'function',
            function: { name: 'w', arguments: '{"city":"Rome"}' },
            extra_content: extra,
          },
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'w', arguments: '{"city":"Oslo"}' },
            extra_content: { google: { thought_signature: 'Z29vZ2xl' } },
          },
          { id: 'mine', type: 'function', function: { name: 't', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'mine', content: '{"time":1}' },
      { role: 'tool', tool_call_id: 'call_0', content: '{"sky":"blue"}' },
      { role: 'tool', tool_call_id: 'call_1', content: '{"sky":"grey"}' },
    ])
  })

  test('has pictures, sounds and files, their bytes in the alphabet of data URLs', () => {
    const { messages } = chatOf({
      contents: [
        user(
          { text: 'See' },
          { inlineData: { mimeType: 'image/png', data: 'a-_b' } },
          { inline_data: { mime_type: 'audio/mpeg', data: 'aGk=' } },
          { inlineData: { mimeType: 'application/pdf', data: 'aGk=', displayName: 'a.pdf' } },
          { fileData: { fileUri: 'https://a.example/cat.png' } },
        ),
        model({ inlineData: { mimeType: 'image/png', data: 'aGk=' } }),
      ],
    }).request as { messages: { content: unknown; content_blocks?: unknown }[] }
    expect(messages[0]?.content).toEqual([
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,a+/b' } },
      { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' } },
      { type: 'image_url', image_url: { url: 'https://a.example/cat.png' } },
    ])
    expect(messages[1]?.content_blocks).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
    ])
  })

  test('asks for JSON of a schema, in the words of JSON Schema', () => {
    const responseSchema = {
      type: 'OBJECT',
      properties: {
        a: { type: 'STRING', nullable: true, enum: ['x'], format: 'enum' },
        b: { type: 'ARRAY', items: { type: 'INTEGER', format: 'int32' }, minItems: '1' },
        c: { anyOf: [{ type: 'NUMBER' }, { type: 'BOOLEAN' }], nullable: true },
      },
      required: ['a'],
      propertyOrdering: ['a'],
    }
    const format = (config: unknown) =>
      chatOf({ generationConfig: { responseMimeType: 'application/json', ...(config as object) } }).request
        .response_format
    expect(format({ responseSchema })).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'response',
        strict: true,
        schema: {
          type: 'object',
          properties: {
            a: { type: ['string', 'null'], enum: ['x', null] },
            b: { type: 'array', items: { type: 'integer' }, minItems: 1 },
            c: { anyOf: [{ type: 'number' }, { type: 'boolean' }, { type: 'null' }] },
          },
          required: ['a'],
        },
      },
    })
    expect(format({ responseJsonSchema: { type: 'array', items: {} } })).toMatchObject({
      json_schema: { schema: { type: 'array', items: {} } },
    })
    expect(format({})).toEqual({ type: 'json_object' })
  })

  test.each([
    [{ contents: [] }, 'contents'],
    [{ contents: [5] }, 'contents[0]'],
    [{ contents: [{ role: 'judge', parts: [] }] }, 'contents[0].role'],
    [{ contents: [user({ text: 5 })] }, 'contents[0].parts[0].text'],
    [{ contents: [user({ videoMetadata: {}, executableCode: {} })] }, 'contents[0].parts[0].executableCode'],
    [{ contents: [user({ inlineData: { data: 'aGk=' } })] }, 'contents[0].parts[0].inlineData.mimeType'],
    [{ contents: [user({ fileData: { fileUri: 'gs://a/b' } })] }, 'contents[0].parts[0].fileData.fileUri'],
    [{ contents: [user({ functionResponse: { name: 'f' } })] }, 'contents[0].parts[0].functionResponse'],
    [{ contents: [model({ functionCall: {} })] }, 'contents[0].parts[0].functionCall.name'],
    [{ systemInstruction: { parts: [{ inlineData: {} }] } }, 'systemInstruction.parts[0]'],
    [{ tools: {} }, 'tools'],
    [{ tools: [{ functionDeclarations: [{}] }] }, 'tools[0].functionDeclarations[0].name'],
    [{ toolConfig: { functionCallingConfig: { mode: 'MUST' } } }, 'toolConfig.functionCallingConfig.mode'],
    [{ generationConfig: { temperature: '1' } }, 'generationConfig.temperature'],
    [{ generationConfig: { candidateCount: 1.5 } }, 'generationConfig.candidateCount'],
    [{ generationConfig: { stopSequences: 'a' } }, 'generationConfig.stopSequences'],
    [
      { generationConfig: { thinkingConfig: { thinkingLevel: 'MUCH' } } },
      'generationConfig.thinkingConfig.thinkingLevel',
    ],
  ])('refuses %j by its place', (fields, param) => {
    expect(faultOf(fields)).toBe(param)
  })
})
