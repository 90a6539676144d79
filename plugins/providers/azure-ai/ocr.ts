import { InvalidRequest, isRecord } from '#kit'
import type { Adapter } from '#kit/provider'

/** Azure's Mistral reads what stands in the request alone (contract, "OCR"; Microsoft Q&A 5881208, read 2026-11-22). */
export const ocrParams: Adapter<'ocr'>['params'] = {
  document: (document) => {
    for (const name of ['document_url', 'image_url']) {
      const value = isRecord(document) ? document[name] : undefined
      const url = isRecord(value) ? value.url : value
      if (typeof url === 'string' && !/^data:/i.test(url)) {
        throw new InvalidRequest(`\`document.${name}\` must be a data URL: Azure reads no addresses.`, {
          param: `document.${name}`,
        })
      }
    }
    if (isRecord(document) && document.type === 'file') {
      throw new InvalidRequest('Azure knows no uploaded files: send the document as a data URL.', { param: 'document' })
    }
    return { document }
  },
}
