import type { AnyRoute } from '../route.ts'
import { type DocumentOptions, openapiDocument } from './document.ts'
import { documentPage, pagePolicy } from './page.ts'

export interface Documentation {
  /** `GET /openapi.json` */
  document(): Response
  /** `GET /docs` */
  page(): Response
}

/** Makes both texts once; after that they cost no more than their bytes. */
export const createDocumentation = (routes: readonly AnyRoute[], options: DocumentOptions): Documentation => {
  const document = openapiDocument(routes, options)
  const json = JSON.stringify(document)
  const html = documentPage(document)
  const policy = pagePolicy()
  return {
    document: () =>
      new Response(json, { headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' } }),
    page: () =>
      new Response(html, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
          'content-security-policy': policy,
          'x-content-type-options': 'nosniff',
        },
      }),
  }
}
