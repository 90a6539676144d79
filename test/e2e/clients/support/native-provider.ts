import { jsonPlan, type Plan, ssePlan, textPlan } from '../../../../plugins/providers/mock/plan.ts'
import { type MockServer, type RecordedRequest, startMockServer } from '../../../../plugins/providers/mock/server.ts'
import { FILE, RESPONSE, RESPONSE_EVENTS } from './native-bodies.ts'
import { loadWireFixtures } from './wire-upstream.ts'

/** The only key that `startNativeProvider` takes. */
export const NATIVE_KEY = 'sk-real-provider-key-0123456789abcdef'

const anthropic = loadWireFixtures('anthropic')
const google = loadWireFixtures('google')

interface Asked extends Pick<RecordedRequest, 'method' | 'path'> {
  readonly body: string
}

const wantsStream = ({ body }: Asked): boolean => /"stream": ?true/.test(body)

/** Answers by the method and the end of the path. What is not here is the mock's. */
const ANSWERS: readonly (readonly [RegExp, (asked: Asked) => Plan | undefined])[] = [
  [/^POST .*\/responses$/, (asked) => (wantsStream(asked) ? ssePlan(RESPONSE_EVENTS) : jsonPlan(200, RESPONSE))],
  [/^POST .*\/images\/generations$/, () => jsonPlan(200, { created: 1_767_225_600, data: [{ b64_json: 'aGk=' }] })],
  [
    /^POST .*\/moderations$/,
    () =>
      jsonPlan(200, {
        id: 'modr-1',
        model: 'omni',
        results: [{ flagged: false, categories: {}, category_scores: {} }],
      }),
  ],
  [/^POST .*\/audio\/speech$/, () => textPlan(200, 'ID3 sound', { 'content-type': 'audio/mpeg' })],
  [
    /^POST .*\/audio\/transcriptions$/,
    ({ body }) => jsonPlan(200, { text: /filename="([^"]*)"/.exec(body)?.[1] ?? '' }),
  ],
  [/^POST .*\/files$/, ({ body }) => jsonPlan(200, { ...FILE, filename: /filename="([^"]*)"/.exec(body)?.[1] })],
  [/^GET .*\/files$/, () => jsonPlan(200, { object: 'list', data: [FILE], has_more: false })],
  [/^GET .*\/files\/file-1$/, () => jsonPlan(200, FILE)],
  [/^DELETE .*\/files\/file-1$/, () => jsonPlan(200, { id: 'file-1', object: 'file', deleted: true })],
  [
    /^GET .*\/v1\/models\/[^/]+$/,
    ({ path }) => jsonPlan(200, { id: path.split('/').at(-1), object: 'model', created: 1, owned_by: 'native' }),
  ],
  [
    /^POST .*\/messages$/,
    (asked) =>
      wantsStream(asked)
        ? ssePlan([anthropic.get('stream-text')?.stream ?? ''])
        : jsonPlan(200, anthropic.get('plain-text')?.answer, { 'request-id': 'req_native' }),
  ],
  [/^POST .*\/messages\/count_tokens$/, () => jsonPlan(200, { input_tokens: 7 })],
  [/^POST .*:generateContent$/, () => jsonPlan(200, google.get('plain-text')?.answer)],
  [/^POST .*:streamGenerateContent\?alt=sse$/, () => ssePlan([google.get('stream-text')?.stream ?? ''])],
  [/^POST .*:countTokens$/, () => jsonPlan(200, { totalTokens: 7 })],
  [/^POST .*:batchEmbedContents$/, () => jsonPlan(200, { embeddings: [{ values: [0.5, 0.25] }] })],
  [/^GET .*\/v1beta\/models(\?.*)?$/, () => jsonPlan(200, { models: [{ name: 'models/gemini-native' }] })],
  [/^GET .*\/v1beta\/models\/[^/]+$/, ({ path }) => jsonPlan(200, { name: `models/${path.split('/').at(-1)}` })],
]

/** What a provider answers on its own routes. Any other key is refused, on every route: a placeholder must not get here. */
export const nativeAnswers =
  (realKey: string) =>
  ({ headers, method, path }: RecordedRequest, bytes: Uint8Array): Plan | undefined => {
    const bearer = headers.get('authorization')?.replace(/^Bearer /, '')
    const key = bearer ?? headers.get('x-api-key') ?? headers.get('x-goog-api-key')
    if (key !== realKey) return jsonPlan(401, { error: { message: `Incorrect API key provided: ${key}.` } })
    const asked = { method, path, body: new TextDecoder().decode(bytes) }
    return ANSWERS.find(([place]) => place.test(`${method} ${path}`))?.[1](asked)
  }

/** Such a provider on a loopback socket. */
export const startNativeProvider = (): Promise<MockServer> => startMockServer({ answer: nativeAnswers(NATIVE_KEY) })
