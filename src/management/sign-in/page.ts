import type { SignInIssuer } from '../../config/sign-in.ts'
import { CONSOLE_PATH } from '../../console/paths.ts'
import { errorHeaders } from '../../errors/envelope.ts'
import type { GatewayError } from '../../errors/gateway-error.ts'
import { escapeHtml, prose } from '../openapi/html.ts'
import { startPath } from './paths.ts'

/** Pages that need no console: plain, without scripts and styles, and in no frame. */

export interface PageOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Where its forms may lead, as a content security policy has it. Default: nowhere. */
  readonly formAction?: string
}

/** @param body of HTML */
export const page = (title: string, body: string, options: PageOptions = {}): Response => {
  const { status = 200, formAction = "'none'" } = options
  const headers = new Headers(options.headers)
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set(
    'content-security-policy',
    `default-src 'none'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
  )
  headers.set('x-content-type-options', 'nosniff')
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>`
  const text = `<!doctype html><html lang="en"><head>${head}</head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>\n`
  return new Response(text, { status, headers })
}

export const errorPage = (title: string, error: GatewayError, prefix: string): Response => {
  const again = `<p><a href="${escapeHtml(`${prefix}/sign-in`)}">Sign in again</a></p>`
  const body = `<p>${prose(error.message)}</p>${again}`
  return page(title, body, { status: error.status, headers: errorHeaders(error.options) })
}

/** @param prefix in front of each path. @param query what the choice takes along: where to go on to, and an invite */
export const choicePage = (issuers: readonly SignInIssuer[], prefix: string, query: URLSearchParams): Response => {
  const links = issuers.map(({ id, name }) => {
    const href = startPath(prefix, id, query)
    return `<li><a href="${escapeHtml(href)}">${escapeHtml(name)}</a></li>`
  })
  const own = `<a href="${escapeHtml(`${prefix}${CONSOLE_PATH}/`)}">in the console</a>`
  const none = `<p>No issuer is set up here: who has a key of the organisation signs in with it ${own}.</p>`
  return page('Sign in', links.length === 0 ? none : `<ul>${links.join('')}</ul>`)
}
