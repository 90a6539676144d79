import type { Bootstrapped } from '../store/bootstrap.ts'
import { VERSION } from '../version.ts'

/** What a person sees at the start. Keys appear only when they were made just now: later nobody can show them. */
export const banner = (options: {
  readonly url: string
  readonly basePath: string
  readonly created: Bootstrapped['created']
  /** Whether the `mock` provider runs, so that a call works without any provider's key. */
  readonly hasMock: boolean
}): string => {
  const { url, basePath, created, hasMock } = options
  const lines = [`Weir ${VERSION} is listening on ${url}`]
  if (created?.adminKey !== undefined || created?.apiKey !== undefined) {
    lines.push('', '  Keep these keys: they are shown this once, only their hashes are stored.')
    if (created.adminKey !== undefined) lines.push(`    admin key (management)   ${created.adminKey}`)
    if (created.apiKey !== undefined) lines.push(`    API key   (model calls)  ${created.apiKey}`)
  }
  if (created !== undefined && hasMock) {
    const key = created.apiKey ?? '$WEIR_API_KEY'
    lines.push(
      '',
      '  Try it:',
      '',
      `curl -s ${url}${basePath}/v1/chat/completions -H "authorization: Bearer ${key}" -H "x-gateway-provider: mock" -H "content-type: application/json" -d '{"model":"mock","messages":[{"role":"user","content":"Hello"}]}'`,
    )
  }
  return `${lines.join('\n')}\n\n`
}
