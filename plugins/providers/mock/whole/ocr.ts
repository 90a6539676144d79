import { isRecord } from '#kit'
import type { OcrPage, OcrReply } from '#kit/provider'
import { MockRefusal } from '../refusal.ts'

const FORM_FEED = '\f'

/** The smallest PNG: what stands for each image that was found. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/**
 * Reads a `data:` URL of text: its pages are what form feeds part, and say what the text says. Of anything else, which has one
 * page, it says what it is.
 * @throws MockRefusal for a request that the mock cannot read.
 */
export const makeOcr = (model: string, body: Record<string, unknown>): OcrReply => {
  const { document, pages: wanted, include_image_base64: withImages } = body
  const url = urlOf(document)
  const text = textOf(url)
  const pages = (text === undefined ? [`![img-0.png](img-0.png)\n\nMock read ${kindOf(url)}.`] : text.split(FORM_FEED))
    .map((markdown, index): OcrPage => {
      const image = { id: 'img-0.png', ...(withImages === true ? { image_base64: PIXEL } : {}) }
      return {
        index,
        markdown,
        images: text === undefined ? [image] : [],
        dimensions: { dpi: 200, height: 2200, width: 1700 },
      }
    })
    .filter(({ index }) => !Array.isArray(wanted) || wanted.includes(index))
  return { pages, model, usage_info: { pages_processed: pages.length, doc_size_bytes: url.length } }
}

const urlOf = (document: unknown): string => {
  if (isRecord(document)) {
    const { type, document_url: ofDocument, image_url: ofImage } = document
    const url = type === 'image_url' ? (isRecord(ofImage) ? ofImage.url : ofImage) : ofDocument
    if (typeof url === 'string') return url
  }
  throw new MockRefusal(400, '`document` must have a `document_url` or an `image_url`.', 'document')
}

/** The text of a `data:` URL that holds some. */
const textOf = (url: string): string | undefined => {
  const [, parameters = '', data = ''] = /^data:text\/[^;,]*((?:;[^;,]*)*),(.*)$/s.exec(url) ?? []
  if (!/^data:text\//.test(url)) return undefined
  return parameters.endsWith(';base64') ? Buffer.from(data, 'base64').toString() : decoded(data)
}

const decoded = (data: string): string => {
  try {
    return decodeURIComponent(data)
  } catch {
    throw new MockRefusal(400, 'The `data:` URL is not percent-encoded correctly.', 'document')
  }
}

const kindOf = (url: string): string => {
  const [, type] = /^data:([^;,]*)/.exec(url) ?? []
  return type === undefined ? 'a document at a URL' : `a document of the type ${type}`
}
