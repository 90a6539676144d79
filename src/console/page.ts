import type { ConsoleBundle } from './bundle.ts'
import { CONSOLE_PATH } from './paths.ts'

/** Said of everything that the console consists of. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** Editors make their style sheets in the browser; whoever slips in a text cannot know the nonce of this answer. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // No text becomes markup, also where a library would have it so.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** A text between double quotes. */
const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** What stands in front of paths, as browsers see them. */
export interface Prefixes {
  /** In front of everything but probes. */
  readonly prefix: string
  /** In front of what probes ask: `/readyz`. */
  readonly probes: string
}

/** The one page that all addresses below `/console/` show. */
export const consolePage = ({ script, style, icon }: ConsoleBundle, { prefix, probes }: Prefixes): Response => {
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64()
  const at = (name: string): string => attribute(`${prefix}${CONSOLE_PATH}/assets/${name}`)
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><title>Weir</title>',
    `<meta name="weir-prefix" content="${attribute(prefix)}"><meta name="csp-nonce" content="${nonce}">`,
    `<meta name="weir-probes" content="${attribute(probes)}">`,
    `<link rel="icon" href="${at(icon)}"><link rel="stylesheet" href="${at(style)}">`,
    `<script type="module" src="${at(script)}"></script>`,
  ].join('\n')
  const body =
    '<div id="root"></div><noscript>The console needs JavaScript. All of it is also in the API: see /docs.</noscript>'
  return new Response(`<!doctype html>\n<html lang="en">\n<head>\n${head}\n</head>\n<body>${body}</body>\n</html>\n`, {
    headers: {
      ...SAFE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      // Each answer has a nonce of its own.
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    },
  })
}

/** Why there is no page. */
export const noConsolePage = (): Response =>
  new Response('The console could not be built; the log says why.\n', {
    status: 503,
    headers: { ...SAFE_HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
