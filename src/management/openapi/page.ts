import { escapeHtml, prose } from './html.ts'
import { schemaHtml, typeText } from './schema-html.ts'
import type { MediaType, OpenApiDocument, Operation, PathItem, ResponseObject } from './types.ts'

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere }
nav ul { columns: 18rem; list-style: none; padding: 0 }
nav li { break-inside: avoid }
article { border-top: 1px solid var(--line); padding: 0.5rem 0 1rem }
h3 { margin: 0.5rem 0; font-weight: normal }
h3 b { display: inline-block; min-width: 4.5rem }
h4 { margin: 0.75rem 0 0.25rem }
ul { margin: 0.25rem 0; padding-left: 1.25rem }
details > summary { cursor: pointer }
.box { background: var(--soft); border-radius: 0.5rem; padding: 0.25rem 0.75rem }
`

interface Shown {
  readonly method: keyof PathItem
  readonly path: string
  readonly operation: Operation
}

/** The document as one page for people: no script, nothing loaded from elsewhere. */
export const documentPage = (document: OpenApiDocument): string => {
  const shown = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Shown => ({ method: method as keyof PathItem, path, operation })),
  )
  const title = escapeHtml(`${document.info.title} ${document.info.version}`)
  const sections = document.tags.map(({ name }) => ({
    name,
    operations: shown.filter(({ operation }) => operation.tags.includes(name)),
  }))
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head>
<body>
<header><h1>${title}</h1><p>${prose(document.info.description)} The same for machines: <a href="openapi.json">openapi.json</a>.</p></header>
<nav aria-label="Routes">${sections.map(({ name, operations }) => navigation(name, operations)).join('')}</nav>
<main>${sections.map(({ name, operations }) => section(name, operations, document)).join('')}</main>
</body></html>
`
}

/** What browsers may do with the page: show it, with its own style. */
export const pagePolicy = (): string => {
  const hash = new Bun.CryptoHasher('sha256').update(STYLE).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

const navigation = (name: string, operations: readonly Shown[]): string => {
  const links = operations.map(
    ({ method, path, operation }) =>
      `<li><a href="#${escapeHtml(operation.operationId)}"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></a></li>`,
  )
  return `<h2>${escapeHtml(name)}</h2><ul>${links.join('')}</ul>`
}

const section = (name: string, operations: readonly Shown[], document: OpenApiDocument): string =>
  `<section><h2>${escapeHtml(name)}</h2>${operations.map((shown) => article(shown, document)).join('')}</section>`

const article = ({ method, path, operation }: Shown, document: OpenApiDocument): string => {
  const isPublic = operation.security?.length === 0
  return `<article id="${escapeHtml(operation.operationId)}">
<h3><b>${method.toUpperCase()}</b><code>${escapeHtml(path)}</code></h3>
<p>${prose(operation.summary)} ${operation.description === undefined ? '' : prose(operation.description)}${isPublic ? ' Needs no key.' : ''}</p>
${aliases(operation)}${parameters(operation)}${body(operation)}${answers(operation, document)}
</article>`
}

const aliases = (operation: Operation): string => {
  const paths = operation['x-weir-aliases'] ?? []
  if (paths.length === 0) return ''
  return `<details><summary>Other paths</summary><ul>${paths.map((path) => `<li><code>${escapeHtml(path)}</code></li>`).join('')}</ul></details>`
}

const parameters = ({ parameters: given = [] }: Operation): string => {
  if (given.length === 0) return ''
  const lines = given.map(
    ({ name, in: place, required, description = '', schema }) =>
      `<li><code>${escapeHtml(name)}</code> in ${place} <i>${escapeHtml(typeText(schema))}</i>${required ? ' <b>required</b>' : ''} ${prose(description)}</li>`,
  )
  return `<h4>Parameters</h4><div class="box"><ul>${lines.join('')}</ul></div>`
}

const body = ({ requestBody }: Operation): string => {
  if (requestBody === undefined) return ''
  return `<h4>Body</h4><div class="box">${content(requestBody.content)}</div>`
}

const answers = ({ responses }: Operation, document: OpenApiDocument): string => {
  const lines = Object.entries(responses).map(([status, response]) => {
    const { description, content: media } = resolve(response, document)
    const details = status === '200' && media !== undefined ? content(media) : ''
    return `<li><code>${escapeHtml(status)}</code> ${prose(description)}${details}</li>`
  })
  return `<details><summary>Answers</summary><div class="box"><ul>${lines.join('')}</ul></div></details>`
}

const content = (media: Readonly<Record<string, MediaType>>): string => {
  const [first] = Object.values(media)
  if (first === undefined) return ''
  const types = Object.keys(media)
    .map((type) => `<code>${escapeHtml(type)}</code>`)
    .join(' or ')
  return `${types} <i>${escapeHtml(typeText(first.schema))}</i>${schemaHtml(first.schema)}`
}

const resolve = (response: Operation['responses'][string], document: OpenApiDocument): ResponseObject => {
  if (!('$ref' in response)) return response
  const found = document.components.responses[response.$ref.split('/').at(-1) ?? '']
  if (found === undefined) throw new Error(`the document has no ${response.$ref}`)
  return found
}
