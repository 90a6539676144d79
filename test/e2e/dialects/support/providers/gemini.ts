import { type Scene, USAGE } from '../scenes.ts'
import {
  at,
  event,
  type Fields,
  listOf,
  numberAt,
  type ProviderForm,
  stringsAt,
  textAt,
  textsOf,
} from './provider-form.ts'

const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', tools: 'STOP', filter: 'SAFETY' } as const

const usageMetadata = {
  promptTokenCount: USAGE.input,
  cachedContentTokenCount: USAGE.cached,
  candidatesTokenCount: USAGE.output,
  totalTokenCount: USAGE.input + USAGE.output,
}

const answer = (parts: readonly Fields[], finishReason?: string): Fields => ({
  candidates: [
    { content: { role: 'model', parts }, index: 0, ...(finishReason === undefined ? {} : { finishReason }) },
  ],
  ...(finishReason === undefined ? {} : { usageMetadata }),
  modelVersion: 'model-1',
  responseId: 'response-1',
})

const callsOf = ({ calls = [], thinking }: Scene): readonly Fields[] =>
  calls.map(({ id, name, pieces }, index) => ({
    functionCall: { id, name, args: JSON.parse(pieces.join('')) },
    ...(thinking !== undefined && index === 0 ? { thoughtSignature: thinking.signature } : {}),
  }))

const thoughts = ({ thinking }: Scene): readonly Fields[] =>
  thinking === undefined ? [] : [{ text: thinking.text, thought: true }]

/** Google's `generateContent`. */
export const geminiForm = (prefix: string): ProviderForm => ({
  path: new RegExp(`^/${prefix}/models/[^/]+:(generateContent|streamGenerateContent)`),
  asksForStream: (path) => path.includes(':streamGenerateContent'),
  read(body) {
    const contents = listOf(body.contents)
    const parts = (role: string, name: string) =>
      contents
        .filter((content) => (content.role ?? 'user') === role)
        .flatMap((content) => listOf(content.parts).filter((part) => part[name] !== undefined))
    const generation = at(body, 'generationConfig')
    const thinking = at(generation, 'thinkingConfig')
    const results = parts('user', 'functionResponse')
    return {
      system: textsOf(at(body, 'systemInstruction.parts')).join('\n'),
      texts: parts('user', 'text').map((part) => textAt(part, 'text')),
      images: [
        ...parts('user', 'inlineData'),
        ...parts('user', 'fileData'),
        ...results.flatMap((part) => listOf(at(part, 'functionResponse.parts'))),
      ].length,
      tools: listOf(body.tools).flatMap((tool) =>
        listOf(tool.functionDeclarations).map((each) => textAt(each, 'name')),
      ),
      forced: at(body, 'toolConfig.functionCallingConfig.mode') === 'ANY',
      calls: parts('model', 'functionCall').map((part) => ({
        name: textAt(part, 'functionCall.name'),
        args: at(part, 'functionCall.args'),
      })),
      results: results.map((part) => JSON.stringify(at(part, 'functionResponse.response'))),
      maxTokens: numberAt(generation, 'maxOutputTokens'),
      temperature: numberAt(generation, 'temperature'),
      stop: stringsAt(generation, 'stopSequences'),
      schema: at(generation, 'responseJsonSchema') ?? at(generation, 'responseSchema'),
      thinks: at(thinking, 'thinkingLevel') !== undefined || (numberAt(thinking, 'thinkingBudget') ?? 0) > 0,
      carried: contents.some((content) =>
        listOf(content.parts).some((part) => textAt(part, 'thoughtSignature') !== ''),
      ),
    }
  },
  whole: (scene) =>
    answer(
      [...thoughts(scene), ...(scene.text === undefined ? [] : [{ text: scene.text.join('') }]), ...callsOf(scene)],
      FINISH[scene.finish],
    ),
  pieces(scene) {
    const begun = [...thoughts(scene), ...(scene.text ?? []).map((text) => ({ text }))].map((part) =>
      event(answer([part])),
    )
    if (scene.breaks === 'cut') return begun
    if (scene.breaks === 'error')
      return [...begun, event({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } })]
    return [...begun, event(answer(callsOf(scene), FINISH[scene.finish]))]
  },
  error: (status) => ({
    error: {
      code: status,
      message: `refused with ${status}`,
      status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT',
    },
  }),
})
