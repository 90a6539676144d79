import { defineCheck, isRecord, t } from '#kit'
import { apiVersion, askAzure } from './azure.ts'
import { type Fields, partnerParameters, pick, records, redactParameter, unreadable } from './partner.ts'
import { cut, eachOf, grouped } from './pieces.ts'

const PARTNER = 'Azure AI Language'

/** Of a document, and of a request ("Data and rate limits" of Azure AI Language on Microsoft Learn, read 2026-11-23). */
const MAX_CHARACTERS = 5120
const MAX_DOCUMENTS = 5

/**
 * Recognition of personal data by Azure. Source: "Analyze Text" of the runtime REST API of Azure AI Language, kind
 * `PiiEntityRecognition`, and "Detect and redact personally identifying information in text" of its guide on Microsoft Learn; read
 * 2026-11-23. A longer text is asked for in pieces.
 */
export const azurePii = defineCheck({
  id: 'azure.pii',
  summary: 'Passes when Azure finds no personal data.',
  parameters: t.Object({
    domain: t.Union([t.Literal('none'), t.Literal('phi')], {
      default: 'none',
      description: '`phi`: only what is about health.',
    }),
    apiVersion: apiVersion('2024-11-01'),
    modelVersion: t.String({ minLength: 1, maxLength: 64, default: 'latest', description: 'Version of the model.' }),
    ...redactParameter,
    ...partnerParameters(),
  }),
  stages: ['input', 'output'],
  needs: ['fetch', 'credentials'],
  prepare: ({ domain, apiVersion, modelVersion, redact, credentials, timeout }) => ({
    deadlineMs: timeout,
    async run({ texts }, powers) {
      const account = await powers.credentials(['azure'], credentials)
      const path = `/language/:analyze-text?api-version=${apiVersion}`
      const pieces = texts.flatMap((whole, of) => cut(whole, MAX_CHARACTERS).map((text) => ({ of, text })))
      // A document that says nothing would be an error of the whole request.
      const documents = pieces.flatMap(({ text }, at) => (text.trim() === '' ? [] : [{ id: String(at), text }]))
      const answers = await eachOf(grouped(documents, MAX_DOCUMENTS), async (group) =>
        read(
          await askAzure(powers, account, PARTNER, path, {
            kind: 'PiiEntityRecognition',
            parameters: { domain, modelVersion, stringIndexType: 'Utf16CodeUnit' },
            analysisInput: { documents: group },
          }),
          group,
        ),
      )
      const found = new Map(answers.flat().map((one) => [one.id, one]))
      const entities = [...found.values()].flatMap((one) => one.entities)
      const data = { entities: entities.map((entity) => pick(entity, ['category', 'subcategory', 'confidenceScore'])) }
      if (entities.length === 0 || !redact) return { verdict: entities.length === 0, data }
      const after = texts.map(() => '')
      for (const [at, { of, text }] of pieces.entries()) after[of] += found.get(String(at))?.redacted ?? text
      return { verdict: true, data, texts: after }
    },
  }),
})

interface Found {
  readonly id: string
  readonly redacted: string
  readonly entities: readonly Fields[]
}

const read = (answer: Fields, asked: readonly { readonly id: string; readonly text: string }[]): readonly Found[] => {
  const documents = isRecord(answer.results) ? records(answer.results.documents) : []
  return asked.map(({ id, text }) => {
    const document = documents.find((known) => known.id === id)
    if (document === undefined || !Array.isArray(document.entities)) throw unreadable(PARTNER, 'a document is left out')
    const entities = records(document.entities)
    if (entities.length === 0) return { id, redacted: text, entities }
    if (typeof document.redactedText !== 'string') throw unreadable(PARTNER, 'no redacted text')
    return { id, redacted: document.redactedText, entities }
  })
}
