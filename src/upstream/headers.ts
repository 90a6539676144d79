import { type HeaderFields, HeaderList, HOP_BY_HOP } from '../core/header-fields.ts'

/** About the framing of one body. A `transfer-encoding` left on would also make the web framework decode a body as text. */
const FRAMING = ['content-length']

/** Headers about the provider's own site, which would mislead a client of ours. */
const PROVIDER_ONLY = [
  'set-cookie',
  'server',
  'date',
  'alt-svc',
  'strict-transport-security',
  'via',
  'nel',
  'report-to',
  'reporting-endpoints',
  'clear-site-data',
  'refresh',
  'service-worker-allowed',
]

/** Who may read an answer is not the provider's to say, and what this gateway says is for nobody else to say. */
const isOurs = (name: string): boolean => name.startsWith('access-control-') || name.startsWith('x-gateway-')

const LEFT_BEHIND: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...FRAMING, ...PROVIDER_ONLY])

/**
 * The headers of a provider's answer that may go on: no hop-by-hop ones, none that `Connection` names, no cookies.
 * @param stillCoded the body is left in its coding, so that whoever reads it has to know
 */
export const forwardableHeaders = (
  source: Iterable<readonly [name: string, value: string]>,
  stillCoded = false,
): HeaderFields => {
  const named = namedByConnection(source)
  const headers = new HeaderList()
  for (const [name, value] of source) {
    if (LEFT_BEHIND.has(name) || isOurs(name) || named?.has(name) === true) continue
    if (stillCoded || name !== 'content-encoding') headers.append(name, value)
  }
  return headers
}

const namedByConnection = (source: Iterable<readonly [string, string]>): ReadonlySet<string> | undefined => {
  let named: Set<string> | undefined
  for (const [name, value] of source) {
    if (name !== 'connection') continue
    named ??= new Set()
    for (const each of value.split(',')) named.add(each.trim().toLowerCase())
  }
  return named
}
