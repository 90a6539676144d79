import type { AdapterContext } from '#kit/provider'

/**
 * Betas of Anthropic's own platform, and of tools that it runs, which Bedrock answers with 400 ("invalid beta flag"), and those that
 * have another name there. Source: `anthropic_beta_headers_config.json` of BerriAI/litellm, section `bedrock`, read 2026-11-22. Others
 * pass: new ones come more often than lists are read.
 */
const ELSEWHERE: ReadonlyMap<string, string | undefined> = new Map([
  ['advanced-tool-use-2025-11-20', 'tool-search-tool-2025-10-19'],
  ...(
    'advisor-tool-2026-03-01 claude-code-20250219 code-execution-2025-08-25 fast-mode-2026-02-01 files-api-2025-04-14 ' +
    'mcp-client-2025-04-04 mcp-client-2025-11-20 mcp-servers-2025-12-04 oauth-2025-04-20 per-turn-control-2026-07-01 ' +
    'prompt-caching-scope-2026-01-05 skills-2025-10-02 web-fetch-2025-09-10 web-search-2025-03-05'
  )
    .split(' ')
    .map((name): [string, undefined] => [name, undefined]),
])

/**
 * The betas of a request, of its header and of its body, as Bedrock knows them; each once.
 * @param inBody `anthropic_beta` of a body in Bedrock's own form: a list, or a text with commas
 */
export const betasOf = (inBody: unknown, { passedHeaders, settings }: AdapterContext): readonly string[] => {
  const header = passedHeaders?.['anthropic-beta'] ?? settings.anthropic_beta ?? ''
  const named = [
    ...header.split(','),
    ...(Array.isArray(inBody) ? inBody : typeof inBody === 'string' ? inBody.split(',') : []),
  ]
  const known = named.flatMap((value: unknown) => {
    const name = typeof value === 'string' ? value.trim() : ''
    const there = ELSEWHERE.has(name) ? ELSEWHERE.get(name) : name
    return there === undefined || there === '' ? [] : [there]
  })
  return [...new Set(known)]
}
