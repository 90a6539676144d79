import { DEFAULT_WORKSPACE_SLUG, type Workspace } from '../../store/workspaces.ts'
import { fromUsageLimits } from '../limits.ts'

/**
 * A workspace as the interface shows it.
 * @param config slug of its default config
 */
export const toWorkspaceAnswer = (workspace: Workspace, config: string | undefined) => ({
  id: workspace.id,
  slug: workspace.slug,
  name: workspace.name,
  description: workspace.description,
  organisation_id: workspace.organisationId,
  status: workspace.status,
  is_default: workspace.slug === DEFAULT_WORKSPACE_SLUG,
  defaults:
    workspace.defaults === null && config === undefined
      ? null
      : { metadata: workspace.defaults?.metadata ?? {}, ...(config === undefined ? {} : { config_id: config }) },
  usage_limits: (workspace.usageLimits ?? []).map(fromUsageLimits),
  rate_limits: workspace.rateLimits ?? [],
  created_at: workspace.createdAt.toISOString(),
  last_updated_at: workspace.lastUpdatedAt.toISOString(),
  object: 'workspace' as const,
})
