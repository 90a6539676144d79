import { defined } from '../../../core/defined.ts'
import { InvalidRequest } from '../../../errors/gateway-error.ts'
import type { TranslatedRequest } from '../exchange.ts'
import { type KeptCallOf, modelOfLines, type NewKeptFile } from './by.ts'
import { type InputLine, type TranslatedInput, translatedInput, translateLine } from './input.ts'

type Fields = Readonly<Record<string, unknown>>

/** More lines than such a provider takes in one batch: their ids are held while they are compared. */
const MAX_LINES = 1_000_000

/** A line of a batch whose lines are for one model. */
export interface OneModelLine {
  readonly customId: string
  /** Path of the call: `/v1/embeddings`. */
  readonly url: string
  readonly model: string
  readonly translated: TranslatedRequest
}

/** An input whose lines are of one kind of call and for one model, which stand beside it. */
export interface OneModelInput extends TranslatedInput {
  readonly url: string
  readonly model: string
  /** Parameters of some line that the provider does not have. */
  readonly dropped: readonly string[]
}

export interface OneModelOptions {
  /** Kinds of call that its batches can have. */
  readonly urls: readonly string[]
  /** The line as the provider takes it. @throws InvalidRequest for what it does not take */
  write(line: OneModelLine): Fields
}

/**
 * The input of a batch for a provider that is told the model of all lines at once: that of the call's own settings where they name none.
 * @throws InvalidRequest naming the line
 */
export const inputOfOneModel = async (
  { file }: Pick<NewKeptFile, 'file'>,
  { contentOf, context, translate }: Pick<KeptCallOf, 'contentOf' | 'context' | 'translate'>,
  { urls, write }: OneModelOptions,
): Promise<OneModelInput> => {
  const fallback = defined({ model: modelOfLines(context.settings) })
  const ids = new Set<string>()
  const dropped = new Set<string>()
  let first: { readonly url: string; readonly model: string } | undefined
  let isLookedThrough = false
  const lookAt = (line: InputLine, model: string): void => {
    const { customId, number, url } = line
    first ??= { url, model }
    if (ids.has(customId)) throw wrong(number, `the \`custom_id\` '${clip(customId)}' stands there twice.`)
    if (ids.size === MAX_LINES) throw wrong(number, `there are more than ${MAX_LINES} lines.`)
    if (model !== first.model)
      throw wrong(number, `all lines must be for one model: '${clip(first.model)}' is that of the first.`)
    if (url !== first.url)
      throw wrong(number, `all lines must be for one \`url\`: '${first.url}' is that of the first.`)
    ids.add(customId)
  }
  const input = await translatedInput(() => contentOf(file).stream, {
    param: 'file',
    make(given) {
      const line = given.body.model === undefined ? { ...given, body: { ...given.body, ...fallback } } : given
      const { customId, number, url, body } = line
      if (typeof body.model !== 'string' || body.model === '') throw wrong(number, '`body.model` must be a text.')
      const translated = translateLine(line, { translate, urls, param: 'file' })
      const { model } = translated
      if (!isLookedThrough) {
        lookAt(line, model)
        for (const name of translated.dropped) dropped.add(name)
      }
      try {
        return write({ customId, url, model, translated })
      } catch (thrown) {
        throw thrown instanceof InvalidRequest ? wrong(number, thrown.message) : thrown
      }
    },
  })
  isLookedThrough = true
  if (first === undefined) throw new Error('an input without lines came through')
  return { ...input, ...(first as { url: string; model: string }), dropped: [...dropped] }
}

/** What is left out of lines, in words for the file that they are in. */
export const leftOut = ({ dropped }: OneModelInput): string | undefined =>
  dropped.length === 0 ? undefined : `Left out of its lines: ${dropped.join(', ')}`

/** @throws InvalidRequest where the lines of an input are of another kind of call, or for another model, than the batch */
export const needSame = (asked: Fields, { url, model }: { readonly url: string; readonly model: string }): void => {
  if (asked.endpoint !== url) {
    throw new InvalidRequest(`The lines of the input are for \`${url}\`.`, { param: 'endpoint' })
  }
  const wanted = asked.model ?? model
  if (wanted !== model) {
    throw new InvalidRequest(`The lines of the input are for the model '${model}'.`, { param: 'model' })
  }
}

const wrong = (line: number, problem: string): InvalidRequest =>
  new InvalidRequest(`Line ${line}: ${problem}`, { param: 'file' })

/** A word of the client: a sentence of an error shall not be longer for it. */
const clip = (word: string): string => word.slice(0, 100)
