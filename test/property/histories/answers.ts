import { isRecord, type Provider } from '#kit'
import type { ChatCompletion, ChatCompletionChunk, Message } from '#kit/provider'
import { accumulate, contextOf, decodeStream, type Fixture, requestOf, runMachine } from '#kit/testing'

/** Answers of a recorded case as a client gets them, the pieces of a stream added up. None for a case that fails. */
export const answersOf = (provider: Provider, fixture: Fixture, strict: boolean): readonly Message[] => {
  const { chat } = provider.endpoints
  if (chat === undefined || fixture.endpoint !== 'chat' || fixture.failure !== undefined) return []
  const context = contextOf(provider, fixture, { strict })
  const amended = (body: unknown): unknown => (isRecord(body) ? (chat.amend?.(context)?.amend(body) ?? body) : body)
  const whole = (): ChatCompletion | undefined => {
    if (fixture.answer !== undefined) {
      const made = chat.reply?.(sealed(provider.id, fixture.answer), context, requestOf(fixture.request)).reply
      return made ?? (amended(sealed(provider.id, fixture.answer)) as ChatCompletion)
    }
    if (fixture.stream === undefined) return undefined
    const text = fixture.stream.replaceAll(/"thoughtSignature":\s*"/g, '$&google-')
    const events = decodeStream(new TextEncoder().encode(text))
    const chunks =
      chat.stream === undefined
        ? events
            .filter(({ data }) => data !== '[DONE]')
            .map(({ data }) => amended(JSON.parse(data)) as ChatCompletionChunk)
        : runMachine(chat.stream(context), events).chunks
    return accumulate(chunks)
  }
  return (whole()?.choices ?? []).map(({ message }) => message as Message)
}

/** Marks Google's seals, which look like any other in a recording. */
const sealed = (id: string, answer: unknown): unknown =>
  id === 'google'
    ? JSON.parse(JSON.stringify(answer).replaceAll(/"thoughtSignature":"/g, '$&google-'))
    : structuredClone(answer)
