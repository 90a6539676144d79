import { isRecord } from '#kit'
import type { MockOptions } from '../options.ts'
import { minimalInstance } from '../schema.ts'
import { countWords, splitWords } from '../text.ts'

type Fields = Readonly<Record<string, unknown>>

export interface ResponseAsked {
  readonly id: string
  readonly session: Fields
  readonly asked: Fields
  readonly items: readonly Fields[]
  readonly options: MockOptions
}

/** A function that is called, or what is said. */
interface Said {
  readonly item: Fields
  readonly done: Fields
  readonly events: readonly Fields[]
  readonly textTokens: number
  readonly soundTokens: number
}

/** 20 ms of PCM at 24 kHz with 16 bits, and tokens of a word that is spoken. */
const SOUND_BYTES = 960
const SOUND_TOKENS_A_WORD = 5

/** The events of a response, without their ids: a function of what was said before alone. Usage counts words. */
export const responseEvents = (call: ResponseAsked): readonly Fields[] => {
  const { id, session, asked, items, options } = call
  const modalities = asked.output_modalities ?? session.output_modalities ?? ['audio']
  const response = { id, object: 'realtime.response', output_modalities: modalities, metadata: asked.metadata ?? null }
  const said = sayOf(call, Array.isArray(modalities) && modalities.includes('audio'))
  const place = { response_id: id, output_index: 0 }
  const input = items.reduce((sum, item) => sum + countWords(textOf(item)), 0)
  const heard = items.reduce((sum, item) => sum + soundTokensOf(item), 0)
  const output = said.textTokens + said.soundTokens
  const usage = {
    total_tokens: input + heard + output,
    input_tokens: input + heard,
    output_tokens: output,
    input_token_details: { text_tokens: input, audio_tokens: heard, cached_tokens: 0 },
    output_token_details: { text_tokens: said.textTokens, audio_tokens: said.soundTokens },
  }
  return [
    {
      type: 'response.created',
      response: { ...response, status: 'in_progress', status_details: null, output: [], usage: null },
    },
    { type: 'response.output_item.added', ...place, item: said.item },
    { type: 'conversation.item.added', previous_item_id: items.at(-1)?.id ?? null, item: said.item },
    ...said.events.map((event) => ({ ...event, ...place, item_id: said.item.id })),
    { type: 'response.output_item.done', ...place, item: said.done },
    { type: 'conversation.item.done', previous_item_id: items.at(-1)?.id ?? null, item: said.done },
    {
      type: 'response.done',
      response: {
        ...response,
        status: 'completed',
        status_details: null,
        output: [said.done],
        usage: options.fault === 'usage-missing' ? null : usage,
      },
    },
  ]
}

const sayOf = ({ id, session, asked, items, options }: ResponseAsked, isSpoken: boolean): Said => {
  const tool = toolOf(asked.tools ?? session.tools)
  const hasResult = items.at(-1)?.type === 'function_call_output'
  if (tool !== undefined && !hasResult) return callOf(id, tool)
  const result = items.at(-1)?.output
  const text = hasResult ? `Mock answer from 1 tool result: ${String(result)}` : `Mock answer to: ${lastSaid(items)}`
  const words = sized(splitWords(text), options.tokens)
  const whole = words.join('')
  const item = { id: `item_of_${id}`, object: 'realtime.item', type: 'message', role: 'assistant' }
  const part = isSpoken ? { type: 'output_audio', transcript: whole } : { type: 'output_text', text: whole }
  const empty = isSpoken ? { type: 'output_audio', transcript: '' } : { type: 'output_text', text: '' }
  return {
    item: { ...item, status: 'in_progress', content: [] },
    done: { ...item, status: 'completed', content: [part] },
    events: [
      { type: 'response.content_part.added', content_index: 0, part: empty },
      ...words.flatMap((word, index) => (isSpoken ? spoken(word, index) : [written(word)])),
      ...(isSpoken
        ? [
            { type: 'response.output_audio.done', content_index: 0 },
            { type: 'response.output_audio_transcript.done', content_index: 0, transcript: whole },
          ]
        : [{ type: 'response.output_text.done', content_index: 0, text: whole }]),
      { type: 'response.content_part.done', content_index: 0, part },
    ],
    textTokens: words.length,
    soundTokens: isSpoken ? words.length * SOUND_TOKENS_A_WORD : 0,
  }
}

const written = (word: string): Fields => ({ type: 'response.output_text.delta', content_index: 0, delta: word })

const spoken = (word: string, index: number): readonly Fields[] => [
  { type: 'response.output_audio_transcript.delta', content_index: 0, delta: word },
  {
    type: 'response.output_audio.delta',
    content_index: 0,
    delta: Buffer.alloc(SOUND_BYTES, (index % 64) + 1).toString('base64'),
  },
]

interface Tool {
  readonly name: string
  readonly parameters: unknown
}

const toolOf = (tools: unknown): Tool | undefined => {
  const found: unknown = Array.isArray(tools)
    ? tools.find((tool) => isRecord(tool) && tool.type === 'function')
    : undefined
  if (!isRecord(found) || typeof found.name !== 'string') return undefined
  return { name: found.name, parameters: found.parameters }
}

const callOf = (id: string, { name, parameters }: Tool): Said => {
  const text = JSON.stringify(minimalInstance(parameters ?? { type: 'object' }))
  const callId = `call_of_${id}`
  const item = { id: `item_of_${id}`, object: 'realtime.item', type: 'function_call', name, call_id: callId }
  const half = Math.ceil(text.length / 2)
  return {
    item: { ...item, status: 'in_progress', arguments: '' },
    done: { ...item, status: 'completed', arguments: text },
    events: [
      ...[text.slice(0, half), text.slice(half)].map((delta) => ({
        type: 'response.function_call_arguments.delta',
        call_id: callId,
        delta,
      })),
      { type: 'response.function_call_arguments.done', call_id: callId, name, arguments: text },
    ],
    textTokens: 1 + countWords(text),
    soundTokens: 0,
  }
}

const sized = (words: readonly string[], tokens: number | undefined): readonly string[] =>
  tokens === undefined
    ? words
    : Array.from({ length: tokens }, (_, index) => `${(words[index % words.length] ?? '').trim()} `)

const contentOf = ({ content }: Fields): readonly Fields[] => (Array.isArray(content) ? content.filter(isRecord) : [])

const textOf = (item: Fields): string =>
  item.type === 'function_call_output'
    ? String(item.output)
    : contentOf(item)
        .map(({ text, transcript }) => String(text ?? transcript ?? ''))
        .join(' ')

/** Of 100 ms each. */
const SOUND_TOKEN_BYTES = 4_800

const soundTokensOf = (item: Fields): number =>
  contentOf(item).reduce(
    (sum, { bytes }) => sum + (typeof bytes === 'number' ? Math.ceil(bytes / SOUND_TOKEN_BYTES) : 0),
    0,
  )

const lastSaid = (items: readonly Fields[]): string => {
  const last = items.findLast(({ role }) => role === 'user')
  return last === undefined ? 'nothing' : textOf(last)
}
