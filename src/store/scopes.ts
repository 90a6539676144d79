const VERBS = ['create', 'read', 'update', 'delete', 'list'] as const

const all = <Family extends string>(family: Family) => VERBS.map((verb) => `${family}.${verb}` as const)

/** What keys of an organisation alone may do: the first rows of the table in contract 1.3. */
const ORGANISATION_ONLY = [
  ...all('organisation_users'),
  'organisation_owners.update',
  ...all('organisation_service_api_keys'),
  'organisation_service_api_keys.rotate',
  'organisation_settings.read',
  'organisation_settings.update',
  ...all('organisation_guardrails'),
  'organisation_exclusions.update',
  'organisation_exclusions.list',
  'audit_logs.list',
  'plugins.create',
  'plugins.update',
  'plugins.list',
  ...all('deployments'),
  ...all('secret_references'),
  'workspaces.create',
  'workspaces.delete',
  ...all('organisation_integrations'),
  ...all('organisation_mcp_integrations'),
  ...all('organisation_agent_integrations'),
] as const

/** Managing the keys of a workspace: every kind but `workspace-user`. */
const WORKSPACE_KEYS = [
  ...all('workspace_service_api_keys'),
  'workspace_service_api_keys.rotate',
  ...all('workspace_user_api_keys'),
  'workspace_user_api_keys.rotate',
] as const

/** What all three kinds of key may do. */
const SHARED = [
  'workspaces.read',
  'workspaces.update',
  'workspaces.list',
  ...all('workspace_users'),
  ...all('prompts'),
  'prompts.publish',
  ...all('configs'),
  ...all('guardrails'),
  ...all('virtual_keys'),
  'virtual_keys.duplicate',
  'virtual_keys.copy',
  ...all('providers'),
  ...all('policies'),
  ...all('workspace_integrations'),
  ...all('workspace_mcp_integrations'),
  ...all('workspace_agent_integrations'),
  ...all('mcp_servers'),
  ...all('agent_servers'),
  'analytics.view',
  'logs.export',
  'logs.list',
  'logs.view',
] as const

/**
 * Calling models and what belongs to that: prompts, guardrails, tools and agents are used, and what a call was worth is told
 * afterwards. Models that can be called are listed with `completions.write`. Nothing here reads or changes a stored object.
 */
export const CALLER_SCOPES = [
  'completions.write',
  'prompts.render',
  'guardrails.invoke',
  'mcp.invoke',
  'agents.invoke',
  'logs.write',
] as const

/** What only keys of a workspace may do: use what the organisation manages. */
const WORKSPACE_ONLY = [
  ...CALLER_SCOPES,
  'organisation_integrations.list',
  'organisation_mcp_integrations.list',
  'organisation_agent_integrations.list',
] as const

/** Every scope a key of the kind `organisation-service` can hold. Never `completions.write`. */
export const ORGANISATION_SCOPES = [...ORGANISATION_ONLY, ...WORKSPACE_KEYS, ...SHARED] as const

/** Every scope a key of the kind `workspace-service` can hold. */
export const WORKSPACE_SERVICE_SCOPES = [...WORKSPACE_ONLY, ...WORKSPACE_KEYS, ...SHARED] as const

/** Every scope a key of the kind `workspace-user` can hold: those of a service key without managing keys. */
export const WORKSPACE_USER_SCOPES = [...WORKSPACE_ONLY, ...SHARED] as const

export type Scope = (typeof ORGANISATION_SCOPES)[number] | (typeof WORKSPACE_SERVICE_SCOPES)[number]
