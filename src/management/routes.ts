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
import { feedbackRoutes } from './feedback/routes.ts'
import type { GuardrailDeps } from './guardrails/deps.ts'
import { organisationGuardrailRoutes } from './guardrails/organisation-routes.ts'
import { guardrailsRoutes } from './guardrails/routes.ts'
import type { ProviderRoutesDeps } from './integrations/deps.ts'
import { integrationsRoutes } from './integrations/routes.ts'
import { labelsRoutes } from './labels/routes.ts'
import type { LogExportsDeps } from './log-exports/deps.ts'
import { logExportsRoutes } from './log-exports/routes.ts'
import { organisationSettingsRoutes } from './log-settings/routes.ts'
import type { LogsDeps } from './logs/deps.ts'
import { type OneLogDeps, oneLogRoutes } from './logs/one/routes.ts'
import { logsRoutes } from './logs/routes.ts'
import { modelPricesRoutes } from './model-prices/routes.ts'
import { modelsRoutes } from './models/routes.ts'
import { type PromptPartialsDeps, promptPartialsRoutes } from './prompt-partials/routes.ts'

import { type PromptsDeps, promptsRoutes } from './prompts/routes.ts'
import { providersRoutes } from './providers/routes.ts'
import type { RateLimitsDeps } from './rate-limits/deps.ts'
import { rateLimitsRoutes } from './rate-limits/routes.ts'
import { rateLimitsUsageRoutes } from './rate-limits/usage-routes.ts'
import type { AnyRoute } from './route.ts'
import type { UsageLimitsPoliciesDeps } from './usage-limits-policies/deps.ts'
import { usageLimitsPoliciesRoutes } from './usage-limits-policies/routes.ts'
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
    LogsDeps,
    LogExportsDeps,
    OneLogDeps,
    PromptPartialsDeps,
    PromptsDeps,
    RateLimitsDeps,
    UsageLimitsPoliciesDeps {
  readonly recorder: CallRecorder
  readonly prices: Prices
}

/** Every management route, in the order in which the reference shows them. */
export const managementRoutes = (deps: ManagementRoutesDeps): readonly AnyRoute[] => [
  ...organisationSettingsRoutes(),
  ...workspacesRoutes(deps),
  ...apiKeyRoutes(deps),
  ...integrationsRoutes(deps),
  ...providersRoutes(deps),
  ...virtualKeysRoutes(deps),
  ...modelsRoutes(deps),
  ...modelPricesRoutes(deps),
  ...configsRoutes(deps),
  ...configEvaluationRoutes(deps),
  ...guardrailsRoutes(deps),
  ...organisationGuardrailRoutes,
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
