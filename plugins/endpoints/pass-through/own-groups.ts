/**
 * Groups of the management interface, by the first part of their paths (contract, sections 3 to 5 and 8; the specification,
 * section 1), those that are not built yet too.
 */
const GROUPS: ReadonlySet<string> = new Set([
  'admin',
  'agent-integrations',
  'agent-servers',
  'analytics',
  'api-keys',
  'audit-logs',
  'collections',
  'configs',
  'deployments',
  'feedback',
  'guardrails',
  'integrations',
  'labels',
  'logs',
  'mcp-integrations',
  'mcp-servers',
  'model-configs',
  'organisation',
  'plugins',
  'policies',
  'prompts',
  'providers',
  'scim',
  'secret-references',
  'virtual-keys',
  'workspace-exclusions',
  'workspaces',
])

/**
 * Whether a path can only be meant for the gateway itself: its body may hold a secret, which must not leave the house because a
 * route was misspelt or is still to come.
 * @param rest begins with `/`, as the client wrote it; versions in front of it are skipped, since they are no part of it
 */
export const isOwnGroup = (rest: string): boolean => {
  const group = rest
    .split('/')
    .map(decoded)
    .find((segment) => segment !== '' && !/^v\d{1,3}$/.test(segment))
  return group !== undefined && GROUPS.has(group)
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment).trim().toLowerCase()
  } catch {
    return segment
  }
}
