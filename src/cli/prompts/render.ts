import { resolve } from 'node:path'
import { readPromptInput } from '../../calls/prompt/input.ts'
import { renderPrompt } from '../../calls/prompt/render.ts'
import { isRecord } from '../../core/json/record.ts'
import type { StoredPrompts } from '../../core/ports.ts'
import { createPromptSnapshot } from '../../store/memory/prompt-snapshot.ts'
import type { Workspace } from '../../store/objects/workspaces.ts'
import type { Environment } from '../terminal/environment.ts'
import type { TerminalStore } from '../terminal-store.ts'
import { type PromptFlags, toParameters, withVariables } from './flags.ts'
import { FilesRefused } from './folder.ts'

/** The body of the call that the flags stand for. @throws WrongUsage; FilesRefused for a file that holds no JSON object */
export const readRenderBody = async (
  { folder }: Pick<Environment, 'folder'>,
  flags: PromptFlags,
): Promise<Readonly<Record<string, unknown>>> => {
  const base = flags.vars === undefined ? {} : await readVariables(folder, flags.vars)
  return { ...toParameters(flags.param ?? []), variables: withVariables(base, flags.var ?? []) }
}

const readVariables = async (folder: string, file: string): Promise<Readonly<Record<string, unknown>>> => {
  const value = await Bun.file(resolve(folder, file))
    .json()
    .catch(() => undefined)
  if (!isRecord(value)) throw new FilesRefused([{ file, message: 'is no file with a JSON object' }])
  return value
}

/**
 * The request that a prompt becomes, as `POST /v1/prompts/:id/render` has it under `data`.
 * @throws UnknownPrompt, PromptNotRendered, InvalidRequest
 */
export const renderStored = async (
  { store }: TerminalStore,
  { id: workspaceId }: Workspace,
  reference: string,
  body: Readonly<Record<string, unknown>>,
  isStrict: boolean,
): Promise<Readonly<Record<string, unknown>>> => {
  // Read once: what changes later is of no matter.
  const snapshot = await createPromptSnapshot({ ...store, onChange: async () => async () => undefined })
  try {
    const prompts = isStrict ? strictly(snapshot) : snapshot
    return renderPrompt({ prompts, workspaceId, reference }, readPromptInput(body)).params
  } finally {
    await snapshot.close()
  }
}

/** Makes every prompt strict. */
const strictly = (prompts: StoredPrompts): StoredPrompts => ({
  find(workspaceId, reference) {
    const found = prompts.find(workspaceId, reference)
    return found && { ...found, strict: true }
  },
  partial: (workspaceId, reference) => prompts.partial(workspaceId, reference),
})
