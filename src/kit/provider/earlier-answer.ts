import { isRecord } from '../../core/json/record.ts'
import type { ChatFields } from './chat-fields.ts'
import { mapChanged } from './map-changed.ts'
import type { Message, ToolCall } from './openai.ts'

/**
 * Earlier answers in a history, in a form that any host of OpenAI's format takes, whoever gave them. Public reports of what is
 * refused, read 2026-11-22: `content` that is null without a call ("expected a string, got null", docker/docker-agent #63),
 * empty `tool_calls` ("empty array", openai/openai-node #1341), pictures ("Image URLs are only allowed for messages with
 * role 'user'", openai/openai-node #1030).
 */

/** What stands for a turn that was nothing but a picture. */
const IMAGE = '[image]'

type Report = (part: string) => void

/** What a host takes of the forms that an answer may have. */
export interface AnswerForms {
  readonly refusal: boolean
  readonly audio: boolean
  /** Types of content parts; undefined for a host that nobody knows. */
  readonly parts: ReadonlySet<unknown> | undefined
}

export const answerForms = (takes: ChatFields | undefined): AnswerForms => {
  const fields = takes?.messages.assistant
  const refusal = fields?.includes('refusal') ?? true
  return {
    refusal,
    audio: fields?.includes('audio') ?? true,
    parts:
      takes === undefined
        ? undefined
        : new Set(['text', ...(refusal ? ['refusal'] : []), ...(takes.answerParts ?? [])]),
  }
}

/**
 * An earlier answer as the host takes it.
 * @param sent the message without the fields that the host does not take.
 * @param came the message of the client, whose words count wherever they stand.
 */
export const earlierAnswer = (sent: Message, came: Message, forms: AnswerForms, report: Report): Message => {
  let answer = sent
  const { tool_calls: calls, audio } = sent
  if (Array.isArray(calls) && calls.length === 0) {
    const { tool_calls: _, ...rest } = answer
    answer = rest
  } else if (forms.parts === undefined && Array.isArray(calls)) {
    const plain = mapChanged(calls as readonly ToolCall[], withoutThinking)
    if (plain !== calls) answer = { ...answer, tool_calls: plain }
  }
  // An answer brings the sound itself; only its id goes back (types of openai 7.55, read 2026-11-22).
  if (isRecord(audio) && typeof audio.id === 'string' && Object.keys(audio).length > 1) {
    answer = { ...answer, audio: { id: audio.id } }
  }
  answer = withTakenParts(answer, forms, report)
  if (!isSilent(answer, forms)) return answer
  const content = wordsOf(came)
  return content === answer.content ? answer : { ...answer, content }
}

/** Thinking of Anthropic that a call carries is Weir's own form, and no other server's; what Google's carry is known to some. */
const withoutThinking = (call: ToolCall): ToolCall => {
  if (!isRecord(call) || !isRecord(call.extra_content) || !Object.hasOwn(call.extra_content, 'anthropic')) return call
  const { extra_content: extra, ...rest } = call as ToolCall & { extra_content: Readonly<Record<string, unknown>> }
  const { anthropic: _, ...others } = extra
  return Object.keys(others).length === 0 ? (rest as ToolCall) : { ...rest, extra_content: others }
}

/** Text that an earlier answer says: its content, or else its refusal, its transcript, or the text of its blocks. */
export const wordsOf = ({ content, refusal, audio, content_blocks: blocks, images }: Message): string => {
  if (typeof content === 'string' && content !== '') return content
  const parts = [content, blocks].flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []))
  const said = [
    parts.map(textOf).join(''),
    refusal,
    isRecord(audio) ? audio.transcript : undefined,
    parts.some(isImage) || (Array.isArray(images) && images.length > 0) ? IMAGE : undefined,
  ]
  return said.find((text): text is string => typeof text === 'string' && text !== '') ?? ''
}

const textOf = (part: unknown): string => {
  if (!isRecord(part)) return ''
  const text = part.type === 'text' ? part.text : part.type === 'refusal' ? part.refusal : undefined
  return typeof text === 'string' ? text : ''
}

const isImage = (part: unknown): boolean => isRecord(part) && (part.type === 'image' || part.type === 'image_url')

const withTakenParts = (answer: Message, { parts }: AnswerForms, report: Report): Message => {
  const { content } = answer
  if (parts === undefined || !Array.isArray(content)) return answer
  const foreign = content.filter((part) => isRecord(part) && !parts.has(part.type))
  if (foreign.length === 0) return answer
  if (foreign.some((part) => part.type !== 'refusal')) report('messages[].content[]')
  const taken = content.flatMap((part) => {
    if (!foreign.includes(part)) return [part]
    return part.type === 'refusal' ? [{ type: 'text', text: textOf(part) }] : []
  })
  return { ...answer, content: taken }
}

/** Nothing is said, and nothing called, in a form that the host takes. */
const isSilent = (
  { content, tool_calls: calls, function_call: call, refusal, audio }: Message,
  forms: AnswerForms,
): boolean =>
  (content === undefined || content === null || content.length === 0) &&
  !hasCalls(calls) &&
  !isRecord(call) &&
  !(forms.refusal && typeof refusal === 'string' && refusal !== '') &&
  !(forms.audio && isRecord(audio))

const hasCalls = (calls: readonly ToolCall[] | null | undefined): boolean =>
  calls !== undefined && calls !== null && calls.length > 0
