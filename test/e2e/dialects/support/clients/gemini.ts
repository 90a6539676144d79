import {
  ApiError,
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai'
import { type DialectClient, droppedOf, type Got, type Question, WEATHER } from './client.ts'

const FINISH: Readonly<Record<string, Got['finish']>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'filter',
  PROHIBITED_CONTENT: 'filter',
  RECITATION: 'filter',
  BLOCKLIST: 'filter',
}

const contentsOf = ({ text, image, after }: Question): Content[] => [
  ...(after === undefined
    ? []
    : [
        ...contentsOf(after.question),
        { role: 'model', parts: after.got.turn as Part[] },
        {
          role: 'user',
          parts: after.got.calls.map(({ id, name }, place) => ({
            functionResponse: { ...(id === '' ? {} : { id }), name, response: { output: after.results[place] ?? '' } },
          })),
        },
      ]),
  {
    role: 'user',
    parts: [{ text }, ...(image === undefined ? [] : [{ inlineData: { mimeType: 'image/png', data: image } }])],
  },
]

const paramsOf = (model: string, question: Question): GenerateContentParameters => {
  const systemInstruction = question.after?.question.system ?? question.system
  return {
    model,
    contents: contentsOf(question),
    config: {
      ...(systemInstruction === undefined ? {} : { systemInstruction }),
      ...(question.tools === true
        ? {
            tools: [
              {
                functionDeclarations: [
                  { name: WEATHER.name, description: WEATHER.description, parametersJsonSchema: WEATHER.parameters },
                ],
              },
            ],
          }
        : {}),
      ...(question.forced === true
        ? { toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } } }
        : {}),
      ...(question.schema === undefined
        ? {}
        : { responseMimeType: 'application/json', responseJsonSchema: question.schema }),
      ...(question.thinks === true ? { thinkingConfig: { thinkingBudget: 1024, includeThoughts: true } } : {}),
      ...(question.stop === undefined ? {} : { stopSequences: [question.stop] }),
      ...(question.maxTokens === undefined ? {} : { maxOutputTokens: question.maxTokens }),
      ...(question.temperature === undefined ? {} : { temperature: question.temperature }),
    },
  }
}

export const geminiClient = (url: string, apiKey: string): DialectClient => ({
  async ask(provider, model, question, isStreamed) {
    const client = new GoogleGenAI({
      apiKey,
      httpOptions: { baseUrl: url, headers: { 'x-gateway-provider': provider } },
    })
    const params = paramsOf(model, question)
    if (!isStreamed) return gotOf([await client.models.generateContent(params)])
    const pieces: GenerateContentResponse[] = []
    for await (const piece of await client.models.generateContentStream(params)) pieces.push(piece)
    return gotOf(pieces)
  },
  errorOf: (thrown) => (thrown instanceof ApiError ? { status: thrown.status, message: thrown.message } : undefined),
})

const gotOf = (pieces: readonly GenerateContentResponse[]): Got => {
  const parts = pieces.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const reason = pieces.flatMap(({ candidates }) => candidates?.[0]?.finishReason ?? []).at(-1)
  const usage = pieces.flatMap(({ usageMetadata }) => usageMetadata ?? []).at(-1)
  const calls = parts.flatMap(({ functionCall: call }) =>
    call === undefined ? [] : [{ id: call.id ?? '', name: call.name ?? '', args: call.args }],
  )
  const texts = (isThought: boolean) =>
    parts
      .flatMap(({ text, thought }) => (text !== undefined && (thought === true) === isThought ? [text] : []))
      .join('')
  if (reason === undefined || FINISH[reason] === undefined) throw new Error(`the answer ends with ${reason}`)
  const finish = FINISH[reason]
  return {
    text: texts(false),
    thinking: texts(true),
    calls,
    finish: finish === 'stop' && calls.length > 0 ? 'tools' : finish,
    usage: {
      input: usage?.promptTokenCount ?? 0,
      cached: usage?.cachedContentTokenCount ?? 0,
      // Google counts what is thought beside what is said.
      output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
    },
    dropped: droppedOf(new Headers(pieces[0]?.sdkHttpResponse?.headers)),
    turn: parts,
  }
}
