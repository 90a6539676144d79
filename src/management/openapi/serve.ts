import type { AnyRoute } from '../route.ts'
import { type DocumentOptions, openapiDocument } from './document.ts'
import { documentPage, pagePolicy } from './page.ts'

export interface Documentation {
  /** `GET /openapi.json` */
  document(): Response
  /** `GET /docs` */
  page(): Response
}

/** The two texts: megabytes, which few processes are ever asked for. */
interface Texts {
  readonly json: Uint8Array<ArrayBuffer>
  readonly html: Uint8Array<ArrayBuffer>
}

/** Makes both texts when one is first asked for; after that they cost no more than their bytes. */
export const createDocumentation = (routes: readonly AnyRoute[], options: DocumentOptions): Documentation => {
  let made: Texts | undefined
  const texts = (): Texts => {
    if (made !== undefined) return made
    const document = openapiDocument(routes, options)
    const encoder = new TextEncoder()
    made = { json: encoder.encode(JSON.stringify(document)), html: encoder.encode(documentPage(document)) }
    return made
  }
  return {
    document: () =>
      new Response(texts().json, { headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' } }),
    page: () =>
      new Response(texts().html, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
          'content-security-policy': pagePolicy(),
          'x-content-type-options': 'nosniff',
        },
      }),
  }
}
