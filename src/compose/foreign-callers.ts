import type { KeyDirectory } from '../kit/plugin.ts'
import { toForeignCaller } from '../management/tokens/actors.ts'
import type { Access, RunningParts } from './access.ts'
import type { OpenedMcp } from './mcp.ts'

/** Keys, and besides them the tokens that single MCP servers take. */
export const withForeignCallers = (
  keys: KeyDirectory,
  {
    access,
    mcp,
    running,
  }: {
    readonly access: Pick<Access, 'workspaces'>
    readonly mcp: Pick<OpenedMcp, 'callers'>
    readonly running: () => Pick<RunningParts, 'basePath'>
  },
): KeyDirectory => ({
  ...keys,
  async findOther({ path, headers }) {
    const caller = await mcp.callers.find({ path: path.slice(running().basePath.length), headers })
    if (caller === undefined) return undefined
    const { organisationId, workspaceId } = caller.record.server
    const workspace = access.workspaces.find(organisationId, workspaceId)
    return workspace && toForeignCaller(caller, workspace)
  },
})
