import { describe, expect, test } from 'bun:test'
import type { Check, CheckInput } from '#kit'
import { builtInEndpoints } from '../../../built-in.ts'
import { faultsOf, run } from '../shared/test-support.ts'
import { addPrefix } from './add-prefix.ts'
import { allowedRequestTypes } from './allowed-request-types.ts'
import { requiredMetadataKeys } from './metadata-keys.ts'
import { requiredMetadataKeyPairs, requiredMetadataKeyValuePairs } from './metadata-pairs.ts'
import { modelRules } from './model-rules.ts'
import { modelWhitelist, modelwhitelist } from './model-whitelist.ts'
import { requestParametersCheck } from './request-parameters.ts'

// Cases marked C are those of the open-source counterpart's own tests (Portkey-AI/gateway, plugins/default/default.test.ts),
// or of its documentation (Portkey-AI/docs-core), both read 2026-11-23, in our words.
type Row = readonly [check: Check, parameters: Record<string, unknown>, input: Partial<CheckInput>, verdict: boolean]

const RULES = {
  rules: {
    defaults: ['small'],
    metadata: { tier: { pro: ['large', 'small'], free: ['small'] }, team: { ai: ['odd'] } },
  },
}
const TOOLS = {
  tools: [
    { type: 'function', function: { name: 'getWeather' } },
    { type: 'web_search_preview' },
    { name: 'dropTable', input_schema: {} },
  ],
}

describe('the verdict', () => {
  const rows: readonly Row[] = [
    // C
    [modelWhitelist, { models: ['gpt-4o', 'gpt-4'] }, { model: 'gpt-4o' }, true],
    [modelWhitelist, { models: ['gpt-4o', 'gpt-4'] }, { model: 'gpt-3.5' }, false],
    [modelWhitelist, { models: ['gpt-4o'], not: true }, { model: 'gpt-4o' }, false],
    [modelwhitelist, { models: ['gpt-4o'] }, { model: 'GPT-4o' }, false],
    [modelWhitelist, { models: ['gpt-4o'] }, { model: undefined, json: { model: 'gpt-4o' } }, true],
    [modelRules, RULES, { model: 'small' }, true],
    [modelRules, RULES, { model: 'large' }, false],
    [modelRules, RULES, { model: 'large', metadata: { tier: 'pro' } }, true],
    [modelRules, RULES, { model: 'large', metadata: { tier: 'constructor' } }, false],
    [modelRules, RULES, { model: 'odd', metadata: { tier: 'free', team: 'ai' } }, true],
    [modelRules, RULES, { model: 'large', metadata: { tier: 'free', team: 'ai' } }, false],
    [modelRules, { ...RULES, not: true }, { model: 'large', metadata: { tier: 'pro' } }, false],
    // C
    [allowedRequestTypes, { allowedTypes: ['chatComplete', 'complete'] }, { requestType: 'chatComplete' }, true],
    [allowedRequestTypes, { allowedTypes: ['complete', 'embed'] }, { requestType: 'chatComplete' }, false],
    [allowedRequestTypes, { allowedTypes: 'chatComplete, complete' }, { requestType: 'complete' }, true],
    [allowedRequestTypes, {}, { metadata: { supported_endpoints: 'embed,rerank' }, requestType: 'rerank' }, true],
    [allowedRequestTypes, {}, { metadata: { supported_endpoints: 'embed' }, requestType: 'rerank' }, false],
    [allowedRequestTypes, {}, { metadata: { blocked_endpoints: 'rerank' }, requestType: 'rerank' }, false],
    [
      allowedRequestTypes,
      { allowedTypes: ['embed'] },
      { metadata: { supported_endpoints: 'complete' }, requestType: 'complete' },
      false,
    ],
    [allowedRequestTypes, {}, { requestType: 'imageGenerate' }, true],
    [allowedRequestTypes, { blockedTypes: ['embed'] }, { requestType: 'embed' }, false],
    [allowedRequestTypes, { blockedTypes: ['embed'] }, { requestType: 'complete' }, true],
    [allowedRequestTypes, { allowedTypes: ['embed'], blockedTypes: ['complete'] }, { requestType: 'messages' }, false],
    // A stream is one of its kind.
    [allowedRequestTypes, { allowedTypes: ['stream-messages'] }, { requestType: 'messages', isStreamed: true }, true],
    [allowedRequestTypes, { allowedTypes: ['stream-messages'] }, { requestType: 'messages' }, false],
    [allowedRequestTypes, { allowedTypes: ['messages'] }, { requestType: 'stream-messages', isStreamed: true }, true],
    [allowedRequestTypes, { blockedTypes: ['stream-messages'] }, { requestType: 'stream-messages' }, false],
    // C
    [requiredMetadataKeys, { metadataKeys: ['a', 'b'] }, { metadata: { a: '', b: '1' } }, true],
    [requiredMetadataKeys, { metadataKeys: ['a', 'b'] }, { metadata: { a: '1' } }, false],
    [requiredMetadataKeys, { metadataKeys: ['a', 'b'], operator: 'any' }, { metadata: { a: '1' } }, true],
    [requiredMetadataKeys, { metadataKeys: ['a', 'b'], operator: 'none' }, { metadata: { c: '1' } }, true],
    [requiredMetadataKeys, { metadataKeys: ['toString'] }, { metadata: {} }, false],
    [requiredMetadataKeyPairs, { metadataPairs: { env: 'prod', n: 3 } }, { metadata: { env: 'prod', n: '3' } }, true],
    [requiredMetadataKeyPairs, { metadataPairs: { env: ['prod', 'test'] } }, { metadata: { env: 'test' } }, true],
    [requiredMetadataKeyPairs, { metadataPairs: { env: 'prod' } }, { metadata: { env: 'production' } }, false],
    [
      requiredMetadataKeyValuePairs,
      { metadataPairs: { env: 'prod' }, matchType: 'contains' },
      { metadata: { env: 'production' } },
      true,
    ],
    [
      requiredMetadataKeyPairs,
      { metadataPairs: { s: ['a', 'b'] }, matchType: 'containsAll' },
      { metadata: { s: 'a c' } },
      false,
    ],
    [
      requiredMetadataKeyPairs,
      { metadataPairs: { s: ['a', 'b'] }, matchType: 'containsAll' },
      { metadata: { s: 'b a' } },
      true,
    ],
    [
      requiredMetadataKeyPairs,
      { metadataPairs: { u: '^[a-z]+@x\\.y$' }, matchType: 'regex' },
      { metadata: { u: 'me@x.y' } },
      true,
    ],
    [
      requiredMetadataKeyPairs,
      { metadataPairs: { u: '^[a-z]+@x\\.y$' }, matchType: 'regex' },
      { metadata: { u: 'me@xzy' } },
      false,
    ],
    [
      requiredMetadataKeyPairs,
      { metadataPairs: { a: '1', b: '2' }, operator: 'none' },
      { metadata: { a: '2', b: '1' } },
      true,
    ],
    // C
    [requestParametersCheck, {}, { json: TOOLS }, true],
    [requestParametersCheck, { tools: { allowedTypes: ['function'] } }, { json: TOOLS }, false],
    [requestParametersCheck, { tools: { allowedTypes: ['function', 'web_search_preview'] } }, { json: TOOLS }, true],
    [
      requestParametersCheck,
      { tools: { blockedFunctionNames: ['executeShell', 'dropTable'] } },
      { json: TOOLS },
      false,
    ],
    [requestParametersCheck, { tools: { allowedFunctionNames: ['getWeather', 'dropTable'] } }, { json: TOOLS }, true],
    [
      requestParametersCheck,
      { tools: { blockedFunctionNames: ['old'] } },
      { json: { functions: [{ name: 'old' }] } },
      false,
    ],
    [
      requestParametersCheck,
      { tools: { blockedFunctionNames: ['g'] } },
      { json: { tools: [{ functionDeclarations: [{ name: 'g' }] }] } },
      false,
    ],
    [requestParametersCheck, { params: { blockedKeys: ['seed'] } }, { json: { seed: 1 } }, false],
    [requestParametersCheck, { params: { allowedKeys: ['model'] } }, { json: { model: 'a', seed: 1 } }, false],
    [
      requestParametersCheck,
      { params: { values: { stream: { blockedValues: [true] } } } },
      { json: { stream: true } },
      false,
    ],
    [
      requestParametersCheck,
      { params: { values: { stream: { blockedValues: [true] } } } },
      { json: { stream: 'true' } },
      true,
    ],
    [requestParametersCheck, { params: { values: { n: { allowedValues: [1, 2] } } } }, { json: { n: 3 } }, false],
    [requestParametersCheck, { params: { values: { n: { allowedValues: [1, 2] } } } }, { json: {} }, true],
  ]
  test.each(rows.map((row, index) => [index, ...row] as const))('%d', async (_, check, parameters, input, verdict) => {
    expect([check.id, parameters, input, (await run(check, parameters, input)).verdict]).toEqual([
      check.id,
      parameters,
      input,
      verdict,
    ])
  })
})

test('says which parameters are not allowed', async () => {
  const { data } = await run(
    requestParametersCheck,
    { tools: { blockedTypes: ['web_search_preview'] }, params: { values: { n: { allowedValues: [1] } } } },
    { json: { ...TOOLS, n: 3 } },
  )
  expect(data).toMatchObject({
    violations: ["tool type 'web_search_preview' is blocked", "n: '3' is not allowed"],
  })
})

test('a request without a model, or without a rule, is an error', () => {
  expect(() => run(modelWhitelist, { models: ['a'] }, { model: undefined })).toThrow('names no model')
  expect(() => run(modelRules, { rules: { metadata: {} } }, { model: 'a' })).toThrow('no rule holds')
  const both = { metadata: { supported_endpoints: 'embed', blocked_endpoints: 'embed' } }
  expect(() => run(allowedRequestTypes, {}, both)).toThrow("'embed' is both allowed and blocked")
})

test('every kind of call that is served can be allowed', () => {
  const words = builtInEndpoints.flatMap(({ requestTypes }) => requestTypes)
  expect(faultsOf(allowedRequestTypes, { allowedTypes: words })).toEqual([])
})

test.each<readonly [Check, Record<string, unknown>, string]>([
  [modelWhitelist, { models: [] }, 'models must have at least 1 item'],
  [modelRules, { rules: { default: [] } }, "rules.default unknown key; did you mean 'defaults'?"],
  [allowedRequestTypes, { allowedTypes: ['chat'] }, 'allowedTypes'],
  [allowedRequestTypes, { allowedTypes: 'embed, chat' }, "allowedTypes has 'chat'; each must be one of: complete,"],
  [allowedRequestTypes, { allowedTypes: ['embed'], blockedTypes: ['embed'] }, "blockedTypes 'embed' is allowed too"],
  [requiredMetadataKeyPairs, { metadataPairs: {} }, 'metadataPairs must have at least 1 key'],
  [requiredMetadataKeyPairs, { metadataPairs: { a: ['('] }, matchType: 'regex' }, 'metadataPairs.a[0] is no pattern'],
  [requiredMetadataKeyPairs, { metadataPairs: { a: '1' }, matchType: 'is' }, 'matchType must be one of: exact,'],
  [
    requestParametersCheck,
    { params: { allowedKeys: ['a'], blockedKeys: ['a'] } },
    "params.blockedKeys 'a' is allowed too",
  ],
  [
    requestParametersCheck,
    { params: { values: { n: { allowedValues: [1], blockedValues: [1] } } } },
    "params.values.n.blockedValues '1' is allowed too",
  ],
])('wrong parameters of %o: %j', (check, parameters, fault) => {
  expect(faultsOf(check, parameters).join('; ')).toStartWith(fault)
})

describe('addPrefix', () => {
  const prefix = 'P: '
  const user = (content: unknown) => ({ role: 'user', content })
  const system = (content: unknown) => ({ role: 'system', content })
  const text = (text: string) => ({ type: 'text', text })
  const image = { type: 'image_url', image_url: { url: 'x' } }

  test.each<readonly [requestType: string, parameters: object, json: Record<string, unknown>, changed: unknown]>([
    // C
    [
      'chatComplete',
      {},
      { messages: [system('s'), user('a'), user('b')] },
      { messages: [system('s'), user('P: a'), user('b')] },
    ],
    ['stream-chatComplete', {}, { messages: [user('a')], n: 1 }, { messages: [user('P: a')], n: 1 }],
    ['chatComplete', { applyToRole: 'system' }, { messages: [user('a')] }, { messages: [system('P: '), user('a')] }],
    ['chatComplete', { addToExisting: false }, { messages: [user('a')] }, { messages: [user('P: '), user('a')] }],
    ['chatComplete', { onlyIfEmpty: true }, { messages: [user('a')] }, undefined],
    ['chatComplete', { onlyIfEmpty: true }, { messages: [user(' ')] }, { messages: [user('P:  ')] }],
    ['chatComplete', {}, { messages: [system('s')] }, { messages: [system('s'), user('P: ')] }],
    ['messages', {}, { messages: [user([text('a'), text('b')])] }, { messages: [user([text('P: a'), text('b')])] }],
    ['messages', {}, { messages: [user([image, text('b')])] }, { messages: [user([text('P: '), image, text('b')])] }],
    ['messages', { onlyIfEmpty: true }, { messages: [user([text('a')])] }, undefined],
    ['complete', {}, { prompt: 'a' }, { prompt: 'P: a' }],
    ['complete', {}, { prompt: ['a', 'b'] }, { prompt: ['P: a', 'b'] }],
    ['complete', {}, { prompt: [1, 2] }, undefined],
    ['embed', {}, { input: 'a' }, undefined],
    // What the system says has a field of its own in these forms.
    ['messages', { applyToRole: 'system' }, { system: 's', messages: [] }, { system: 'P: s', messages: [] }],
    ['messages', { applyToRole: 'system' }, { messages: [] }, { system: 'P: ', messages: [] }],
    ['createModelResponse', {}, { input: 'a' }, { input: 'P: a' }],
    [
      'createModelResponse',
      {},
      { input: [user([{ type: 'input_text', text: 'a' }])] },
      { input: [user([{ type: 'input_text', text: 'P: a' }])] },
    ],
    ['createModelResponse', { applyToRole: 'system' }, { input: 'a' }, { input: 'a', instructions: 'P: ' }],
  ])('%s %j %j', async (requestType, parameters, json, changed) => {
    const verdict = await run(addPrefix, { prefix, ...parameters }, { requestType, json })
    expect(verdict.verdict).toBe(true)
    expect(verdict.json).toEqual(changed as Record<string, unknown>)
  })
})
