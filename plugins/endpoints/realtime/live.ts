/**
 * Messages of Google's Live API, which come as text or as bytes. Source: "Live API - WebSockets API reference" of ai.google.dev and
 * the types of @google/genai 3.1.0 (`LiveServerMessage`, `LiveClientMessage`), read 2026-11-24.
 */
import { usageOfAny } from '#calls/any-usage'
import type { SessionForm, SessionModels, SessionNote, SessionReader, SocketMessage } from '#core/session'
import { isRecord, type Usage } from '#kit'

/** Messages with sound are shorter than that, and longer ones are no ends. */
const LONGEST = 4 * 1024 * 1024
/** Characters of base64 of a token of sound: 25 tokens a second, spoken at 24 kHz, heard at 16 kHz, of 16 bits. */
const SPOKEN_TOKEN = 2_560
const HEARD_TOKEN = 1_707
const CHARACTERS_PER_TOKEN = 3
const RESOURCE = 'models/'

class LiveReader implements SessionReader {
  #model: unknown
  #usage: Usage | undefined
  #isSpeaking = false

  note(message: SocketMessage): SessionNote | undefined {
    if (message.length > LONGEST) return undefined
    const text = textOf(message)
    const speaks = text.includes('"modelTurn"')
    const counts = text.includes('"usageMetadata"')
    if (speaks && !counts && !text.includes('"turnComplete"')) {
      this.#isSpeaking = true
      return text.includes('"inlineData"')
        ? { begins: true, soundTokens: text.length / SPOKEN_TOKEN }
        : { begins: true, text: text.length / CHARACTERS_PER_TOKEN }
    }
    if (!counts && !text.includes('"turnComplete"')) return undefined
    const event = parsed(text)
    if (event === undefined) return undefined
    this.#usage = usageOf(event) ?? this.#usage
    const { serverContent: content } = event
    const isOver = isRecord(content) && content.turnComplete === true
    // Counts may come alone, and behind the end of what they count.
    if (!isOver && (this.#isSpeaking || this.#usage === undefined)) return speaks ? { begins: true } : undefined
    const usage = this.#usage
    this.#usage = undefined
    this.#isSpeaking = false
    return { begins: true, ends: { usage }, answered: { model: this.#model } }
  }

  models(message: SocketMessage): SessionModels | undefined {
    if (message.length > LONGEST) return undefined
    const text = textOf(message)
    if (!text.includes('"setup"')) return undefined
    const event = parsed(text)
    const setup = event?.setup
    if (event === undefined || !isRecord(setup) || typeof setup.model !== 'string') return undefined
    const name = setup.model.startsWith(RESOURCE) ? setup.model.slice(RESOURCE.length) : setup.model
    this.#model = name
    const replace = (other: string): void => {
      this.#model = other
      setup.model = `${RESOURCE}${other}`
    }
    return { event, names: [{ name, replace }] }
  }

  inputTokens(message: SocketMessage): number {
    const head = textOf(message.slice(0, HEAD))
    return message.length / (head.includes('"realtimeInput"') ? HEARD_TOKEN : CHARACTERS_PER_TOKEN)
  }
}

/** What is answered has other names than with `generateContent`. */
const usageOf = ({ usageMetadata: said }: Readonly<Record<string, unknown>>): Usage | undefined => {
  if (!isRecord(said)) return undefined
  const { responseTokenCount, responseTokensDetails } = said
  return usageOfAny({
    usageMetadata: {
      ...said,
      candidatesTokenCount: responseTokenCount,
      candidatesTokensDetails: responseTokensDetails,
    },
  })
}

const HEAD = 100
const decoder = new TextDecoder()

const textOf = (message: SocketMessage): string => (typeof message === 'string' ? message : decoder.decode(message))

const parsed = (text: string): Record<string, unknown> | undefined => {
  try {
    const event: unknown = JSON.parse(text)
    return isRecord(event) ? event : undefined
  } catch {
    return undefined
  }
}

/** It has no message for errors: they are told by the reason of the goodbye alone. */
export const liveSessions: SessionForm = { open: () => new LiveReader() }
