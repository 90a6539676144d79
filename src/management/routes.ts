import type { Prices } from '../core/prices.ts'
import type { CallRecorder } from '../core/records.ts'
import { type AlertsDeps, alertsRoutes } from './alerts/routes.ts'
import type { AnalyticsDeps } from './analytics/deps.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { type ApiKeyDeps, apiKeyRoutes } from './api-keys/routes.ts'
import { auditLogsRoutes } from './audit-logs/routes.ts'
import { type CollectionsDeps, collectionsRoutes } from './collections/routes.ts'
import type { RouteDryRun } from './configs/deps.ts'
import { configEvaluationRoutes } from './configs/evaluation.ts'
import { configsRoutes } from './configs/routes.ts'
import type { PingDeps } from './deployments/ping.ts'
import { deploymentsRoutes } from './deployments/routes.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import type { GuardrailDeps } from './guardrails/deps.ts'
import { organisationGuardrailRoutes } from './guardrails/organisation-routes.ts'
import { guardrailsRoutes } from './guardrails/routes.ts'
import type { ProviderRoutesDeps } from './integrations/deps.ts'
import { integrationsRoutes } from './integrations/routes.ts'
import { type InvitesDeps, invitesRoutes } from './invites/routes.ts'
import { labelsRoutes } from './labels/routes.ts'
import type { LogExportsDeps } from './log-exports/deps.ts'
import { logExportsRoutes } from './log-exports/routes.ts'
import { organisationSettingsRoutes } from './log-settings/routes.ts'
import type { LogsDeps } from './logs/deps.ts'
import { type OneLogDeps, oneLogRoutes } from './logs/one/routes.ts'
import { logsRoutes } from './logs/routes.ts'
import type { McpDeps } from './mcp-integrations/deps.ts'
import { mcpIntegrationRoutes } from './mcp-integrations/routes.ts'
import { mcpServersRoutes } from './mcp-servers/routes.ts'
import { membersRoutes } from './members/routes.ts'
import { modelPricesRoutes } from './model-prices/routes.ts'
import { modelsRoutes } from './models/routes.ts'
import { type PromptPartialsDeps, promptPartialsRoutes } from './prompt-partials/routes.ts'

import { type PromptsDeps, promptsRoutes } from './prompts/routes.ts'
import { providersRoutes } from './providers/routes.ts'
import type { RateLimitsDeps } from './rate-limits/deps.ts'
import { rateLimitsRoutes } from './rate-limits/routes.ts'
import { rateLimitsUsageRoutes } from './rate-limits/usage-routes.ts'
import type { AnyRoute } from './route.ts'
import { scimRoutes } from './scim/routes.ts'
import { secretReferencesRoutes } from './secret-references/routes.ts'
import type { SecretReferencesDeps } from './secret-references/service.ts'
import { type SessionsDeps, sessionsRoutes } from './sessions/routes.ts'
import type { UsageLimitsPoliciesDeps } from './usage-limits-policies/deps.ts'
import { usageLimitsPoliciesRoutes } from './usage-limits-policies/routes.ts'
import { usersRoutes } from './users/routes.ts'
import { virtualKeysRoutes } from './virtual-keys/routes.ts'
import { workspacesRoutes } from './workspaces/routes.ts'

export interface ManagementRoutesDeps
  extends AlertsDeps,
    AnalyticsDeps,
    ApiKeyDeps,
    ProviderRoutesDeps,
    RouteDryRun,
    GuardrailDeps,
    CollectionsDeps,
    PingDeps,
    InvitesDeps,
    LogsDeps,
    LogExportsDeps,
    McpDeps,
    OneLogDeps,
    PromptPartialsDeps,
    PromptsDeps,
    RateLimitsDeps,
    SecretReferencesDeps,
    SessionsDeps,
    UsageLimitsPoliciesDeps {
  readonly recorder: CallRecorder
  readonly prices: Prices
}

/** Every management route, in the order in which the reference shows them. */
export const managementRoutes = (deps: ManagementRoutesDeps): readonly AnyRoute[] => [
  ...organisationSettingsRoutes(),
  ...sessionsRoutes(deps),
  ...usersRoutes(),
  ...invitesRoutes(deps),
  ...workspacesRoutes(deps),
  ...scimRoutes,
  ...membersRoutes(),
  ...apiKeyRoutes(deps),
  ...integrationsRoutes(deps),
  ...secretReferencesRoutes(deps),
  ...providersRoutes(deps),
  ...virtualKeysRoutes(deps),
  ...modelsRoutes(deps),
  ...modelPricesRoutes(deps),
  ...configsRoutes(deps),
  ...configEvaluationRoutes(deps),
  ...guardrailsRoutes(deps),
  ...organisationGuardrailRoutes,
  ...deploymentsRoutes(deps),
  ...mcpIntegrationRoutes(deps),
  ...mcpServersRoutes(deps),
  ...collectionsRoutes(deps),
  ...promptPartialsRoutes(deps),
  ...promptsRoutes(deps),
  ...labelsRoutes(),
  ...rateLimitsRoutes(deps),
  ...rateLimitsUsageRoutes(deps),
  ...usageLimitsPoliciesRoutes(deps),
  ...alertsRoutes(deps),
  ...logsRoutes(deps),
  ...logExportsRoutes(deps),
  ...oneLogRoutes(deps),
  ...analyticsRoutes(deps),
  ...feedbackRoutes(deps),
  ...auditLogsRoutes(),
]
