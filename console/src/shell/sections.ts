import type { Session } from '../api/session.tsx'

/** A place in the navigation. */
export interface Section {
  readonly to: string
  readonly title: string
  /** Any one of these lets somebody see it. */
  readonly scopes: readonly string[]
}

export const SECTIONS = [
  { to: '/start', title: 'First minute', scopes: [] },
  { to: '/overview', title: 'Overview', scopes: ['analytics.view'] },
  { to: '/records', title: 'Records', scopes: ['logs.list'] },
  { to: '/exports', title: 'Exports', scopes: ['logs.export'] },
  { to: '/playground', title: 'Playground', scopes: [] },
  { to: '/batches', title: 'Batches', scopes: [] },
  {
    to: '/keys',
    title: 'Keys',
    scopes: ['workspace_service_api_keys.list', 'workspace_user_api_keys.list', 'organisation_service_api_keys.list'],
  },
  { to: '/providers', title: 'Providers', scopes: ['virtual_keys.list'] },
  { to: '/policies', title: 'Policies', scopes: ['policies.list', 'guardrails.list'] },
  { to: '/prompts', title: 'Prompts', scopes: ['prompts.list'] },
  { to: '/configs', title: 'Configs', scopes: ['configs.list'] },
  { to: '/mcp-servers', title: 'MCP servers', scopes: ['mcp_servers.list'] },
  { to: '/prices', title: 'Prices', scopes: [] },
  { to: '/integrations', title: 'Integrations', scopes: ['organisation_integrations.read'] },
  { to: '/secret-references', title: 'Secret references', scopes: ['secret_references.list'] },
  { to: '/deployments', title: 'Deployments', scopes: ['deployments.list'] },
  { to: '/people', title: 'People', scopes: ['organisation_users.list'] },
  { to: '/audit-log', title: 'Audit log', scopes: ['audit_logs.list'] },
  { to: '/health', title: 'Health', scopes: [] },
] as const satisfies readonly Section[]

/** Those that somebody may see: roles show only what they may do. */
export const sectionsOf = ({ scopes }: Session): readonly (typeof SECTIONS)[number][] =>
  SECTIONS.filter((section) => section.scopes.length === 0 || section.scopes.some((scope) => scopes.includes(scope)))
