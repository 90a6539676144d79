import type { Log } from '../records/log.ts'
import { isMock, type Target } from './chat.ts'
import { type Extras, NO_EXTRAS } from './extras.tsx'
import { askedIn, imagesOf, isJson, type Message, wordsOf } from './messages.ts'

/** What the playground begins with. */
export interface Beginning {
  readonly target: Target
  readonly extras: Extras
  /** What was said before the question. */
  readonly messages: readonly Message[]
  readonly text: string
  readonly images: readonly string[]
}

export const NEW_BEGINNING: Beginning = {
  target: { model: 'mock', config: '' },
  extras: NO_EXTRAS,
  ...{ messages: [], text: '', images: [] },
}

/** Fields of a request that the playground has a place of its own for, or says itself. */
const OWN: ReadonlySet<string> = new Set(['model', 'messages', 'tools', 'stream', 'stream_options', 'mock'])

const pretty = (value: object): string => (Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2))

/** The request of a record, so that it can be asked again: its last question is in the field. */
export const beginningOf = ({ request, metrics }: Log): Beginning => {
  const body = isJson(request.body) ? request.body : {}
  const said = askedIn(body)
  const systems = said.filter(({ role }) => role === 'system')
  const others = said.filter(({ role }) => role !== 'system')
  const last = others.at(-1)
  const isQuestion = last?.role === 'user'
  const parameters = Object.fromEntries(Object.entries(body).filter(([name]) => !OWN.has(name)))
  return {
    target: targetOf(typeof body.model === 'string' ? body.model : (metrics.ai_model ?? ''), metrics),
    extras: {
      system: systems.map(wordsOf).join('\n\n'),
      tools: Array.isArray(body.tools) ? pretty(body.tools) : '',
      parameters: pretty(parameters),
    },
    messages: isQuestion ? others.slice(0, -1) : others,
    text: isQuestion ? wordsOf(last) : '',
    images: isQuestion ? imagesOf(last) : [],
  }
}

/** A model whose provider was named beside it is named with it. */
const targetOf = (model: string, { config, virtual_key: stored, ai_org: provider }: Log['metrics']): Target => {
  if (config !== null) return { model, config }
  if (model.startsWith('@') || isMock(model)) return { model, config: '' }
  const name = stored ?? provider
  return { model: name === null ? model : `@${name}/${model}`, config: '' }
}
