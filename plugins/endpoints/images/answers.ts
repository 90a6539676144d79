import { type AnswerForm, type Collector, defined, eventText, isRecord, type StreamWatch } from '#kit'
import { usageFromMedia } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** A picture of 3840 by 2160 points, which does not get smaller by coding, in Base64. */
const MAX_EVENT_BYTES: number = 40 * 1024 * 1024

/** What an event says of the images besides the image. */
const SETTINGS = ['background', 'output_format', 'quality', 'size'] as const

/**
 * Images, whole and as a stream of events. Source: types of openai-node 7.55.0 (resources/images.d.ts), generated from the API
 * reference, read 2026-11-22; that nothing stands behind the last event: the streams in the tests of public clients, same day.
 * @param kind what the types of its events begin with
 */
export const imageAnswers = (kind: 'image_generation' | 'image_edit'): AnswerForm => {
  const partial = `${kind}.partial_image`
  const completed = `${kind}.completed`

  /** Each image is an event; the last has the usage of all. */
  function* chunks(answer: Fields, images: readonly Fields[]): Generator<Fields> {
    const { created, usage } = answer
    for (const [index, image] of images.entries()) {
      yield {
        type: completed,
        ...image,
        created_at: created,
        ...defined(Object.fromEntries(SETTINGS.map((name) => [name, answer[name]]))),
        ...(usage === undefined || index < images.length - 1 ? {} : { usage }),
      }
    }
  }

  const collector = (): Collector => {
    const images: Fields[] = []
    let last: Fields = {}
    return {
      add(chunk) {
        if (chunk.type === partial) return
        if (chunk.type !== completed) throw new Error('an event is not one of images')
        const { b64_json, url, revised_prompt } = chunk
        images.push(defined({ b64_json, url, revised_prompt }))
        last = chunk
      },
      whole() {
        if (images.length === 0) throw new Error('no image was finished')
        const { created_at: created, usage } = last
        const settings = Object.fromEntries(SETTINGS.map((name) => [name, last[name]]))
        return defined({ created, data: images, ...settings, usage })
      },
    }
  }

  /** The answer is complete with as many images as were asked for. */
  const watch = (params: Fields): StreamWatch => {
    let left = typeof params.n === 'number' && params.n > 1 ? params.n : 1
    return ({ event, data }) => {
      // A picture of megabytes, and nothing to learn from it.
      if (event === partial) return undefined
      if (data.trim() === '[DONE]') return undefined
      const body: unknown = JSON.parse(data)
      if (!isRecord(body)) return undefined
      if (event === 'error' || body.type === 'error' || isRecord(body.error)) return { error: body }
      if (body.type !== completed) return undefined
      left--
      return { usage: usageFromMedia(body.usage), answer: body, isEnd: left <= 0 }
    }
  }

  return {
    read(body) {
      if (!isRecord(body) || !Array.isArray(body.data) || body.data.length === 0) return undefined
      const images: readonly unknown[] = body.data
      const isWhole = images.every(isRecord) && images.every((image) => isImage(image))
      return isWhole ? { answer: body, chunks: () => chunks(body, images.filter(isRecord)) } : undefined
    },
    collector,
    write: (chunk) => eventText(JSON.stringify(chunk), 'type' in chunk ? String(chunk.type) : undefined),
    last: '',
    watch,
    maxEventBytes: MAX_EVENT_BYTES,
    mayBeWhole: true,
  }
}

const isImage = (image: unknown): boolean =>
  isRecord(image) && (typeof image.b64_json === 'string' || typeof image.url === 'string')
