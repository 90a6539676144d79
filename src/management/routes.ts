import { type ApiKeyDeps, apiKeyRoutes } from './api-keys/routes.ts'
import { auditLogsRoutes } from './audit-logs/routes.ts'
import { type CollectionsDeps, collectionsRoutes } from './collections/routes.ts'
import type { RouteDryRun } from './configs/deps.ts'
import { configEvaluationRoutes } from './configs/evaluation.ts'
import { configsRoutes } from './configs/routes.ts'
import type { ProviderDeps } from './integrations/deps.ts'
import { integrationsRoutes } from './integrations/routes.ts'
import { labelsRoutes } from './labels/routes.ts'
import { modelsRoutes } from './models/routes.ts'
import { type PromptPartialsDeps, promptPartialsRoutes } from './prompt-partials/routes.ts'

import { type PromptsDeps, promptsRoutes } from './prompts/routes.ts'
import { providersRoutes } from './providers/routes.ts'
import type { RateLimitsDeps } from './rate-limits/deps.ts'
import { rateLimitsRoutes } from './rate-limits/routes.ts'
import { rateLimitsUsageRoutes } from './rate-limits/usage-routes.ts'
import type { AnyRoute } from './route.ts'
import { virtualKeysRoutes } from './virtual-keys/routes.ts'
import { workspacesRoutes } from './workspaces/routes.ts'

export interface ManagementRoutesDeps
  extends ApiKeyDeps,
    ProviderDeps,
    RouteDryRun,
    CollectionsDeps,
    PromptPartialsDeps,
    PromptsDeps,
    RateLimitsDeps {}

/** Every management route, in the order in which the reference shows them. */
export const managementRoutes = (deps: ManagementRoutesDeps): readonly AnyRoute[] => [
  ...workspacesRoutes(deps),
  ...apiKeyRoutes(deps),
  ...integrationsRoutes(deps),
  ...providersRoutes(deps),
  ...virtualKeysRoutes(deps),
  ...modelsRoutes(deps),
  ...configsRoutes(deps),
  ...configEvaluationRoutes(deps),
  ...collectionsRoutes(deps),
  ...promptPartialsRoutes(deps),
  ...promptsRoutes(deps),
  ...labelsRoutes(),
  ...rateLimitsRoutes(deps),
  ...rateLimitsUsageRoutes(deps),
  ...auditLogsRoutes(),
]
