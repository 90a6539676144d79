import { CONSOLE_PATH } from '../../console/paths.ts'
import type { Paint } from '../../observe/terminal.ts'
import type { CreatedKeys } from '../../store/bootstrap.ts'
import { VERSION } from '../../version.ts'

/** What a person sees at the start. Keys appear only when they were made just now, and only on a terminal. */
export const banner = (options: {
  readonly url: string
  readonly basePath: string
  readonly created: CreatedKeys | undefined
  /** The file that the new keys are in. Absent: they are shown. */
  readonly keysFile?: string
  /** Whether the `mock` provider runs, so that a call works without any provider's key. */
  readonly hasMock: boolean
  /** Absent: one process. */
  readonly workers?: number
  readonly paint: Paint
}): string => {
  const { url, basePath, created, keysFile, hasMock, workers, paint } = options
  const lines = [`${paint('bold', `Weir ${VERSION}`)} is listening on ${paint('cyan', url)}`]
  if (workers !== undefined) lines.push(`  with ${workers} workers`)
  const hasKeys = created?.adminKey !== undefined || created?.apiKey !== undefined
  if (hasKeys && keysFile !== undefined) {
    lines.push(
      '',
      `  The first keys are in ${keysFile}, which its owner alone can read.`,
      '  Keep them elsewhere, then delete the file: only their hashes are stored.',
    )
  } else if (hasKeys) {
    lines.push('', '  Keep these keys: they are shown this once, only their hashes are stored.')
    if (created.adminKey !== undefined) lines.push(`    admin key (management)   ${paint('yellow', created.adminKey)}`)
    if (created.apiKey !== undefined) lines.push(`    API key   (model calls)  ${paint('yellow', created.apiKey)}`)
  }
  if (created !== undefined) lines.push('', `  Look at it in a browser: ${url}${basePath}${CONSOLE_PATH}/`)
  if (created !== undefined && hasMock) {
    const isShown = created.apiKey !== undefined && keysFile === undefined
    const key = isShown ? created.apiKey : '$WEIR_API_KEY'
    lines.push(
      '',
      '  Try it:',
      '',
      ...(created.apiKey !== undefined && keysFile !== undefined ? [`. '${keysFile.replaceAll("'", `'\\''`)}'`] : []),
      `curl -s ${url}${basePath}/v1/chat/completions -H "authorization: Bearer ${key}" -H "x-gateway-provider: mock" -H "content-type: application/json" -d '{"model":"mock","messages":[{"role":"user","content":"Hello"}]}'`,
    )
  }
  return `${lines.join('\n')}\n\n`
}
