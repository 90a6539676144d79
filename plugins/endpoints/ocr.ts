import { defineEndpoint, isRecord, jsonBody, maybe, t, worded } from '#kit'
import { someTokens } from '#kit/provider'
import { Count, Model } from './fields.ts'

const Url = t.Union([t.String({ minLength: 1 }), t.Object({ url: t.String({ minLength: 1 }) })])

/** The form is Mistral's, and so is `file`, an uploaded one. */
const Document = t.Union([
  t.Object({ type: t.Literal('document_url'), document_url: t.String({ minLength: 1 }) }),
  t.Object({ type: t.Literal('image_url'), image_url: Url }),
  t.Object({ type: t.Literal('file'), file_id: t.String({ minLength: 1 }) }),
])

const AtLeastOne = t.Integer({ minimum: 1 })

const Page = t.Object({ index: Count, markdown: t.String(), images: t.Array(t.Object({ id: t.String() })) })

export default defineEndpoint({
  id: 'ocr',
  described: { operationId: 'createOcr', summary: 'Read the text of a document or an image, as Markdown.' },
  routes: [{ method: 'POST', path: '/ocr' }],
  requestTypes: ['ocr'],
  operation: 'ocr',
  form: 'ocr',
  body: jsonBody(
    t.Object({
      model: Model,
      document: worded(
        Document,
        'must be an object with the type `document_url` or `image_url` and a URL under that name, or `file` and a `file_id`',
      ),
      pages: maybe(
        worded(
          t.Union([t.Array(Count), t.String()]),
          'must be an array of numbers of pages, or a text such as `0,2-4`',
        ),
      ),
      include_image_base64: maybe(t.Boolean({ default: false })),
      image_limit: maybe(worded(AtLeastOne, 'must be a whole number of at least 1')),
      image_min_size: maybe(worded(AtLeastOne, 'must be a whole number of at least 1')),
    }),
  ),
  answer: {
    kind: 'json',
    schema: t.Object({
      pages: t.Array(Page),
      model: t.String(),
      usage_info: t.Object({ pages_processed: Count }),
    }),
  },
  cache: 'simple',
  learnsPatience: true,
  reads: ['document', 'document_annotation_prompt'],
  boughtBy: (_asked, answer) => {
    const pages = isRecord(answer?.usage_info) ? someTokens(answer.usage_info.pages_processed) : undefined
    return pages === undefined ? undefined : { units: { page: pages } }
  },
})
