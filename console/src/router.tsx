import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { PREFIX } from './api/page.ts'
import { StartPage } from './calls/start-page.tsx'
import { readPoliciesSearch } from './policies/search.ts'
import { readFilters } from './records/filters.ts'
import { Beginning } from './shell/beginning.tsx'
import { Layout } from './shell/layout.tsx'
import { NotFound } from './shell/not-found.tsx'
import { readPeriod } from './ui/period.ts'
import { Failed } from './ui/states.tsx'

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound })

const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path }) as const

const routes = [
  createRoute({ ...at('/'), component: Beginning }),
  createRoute({ ...at('/start'), component: StartPage }),
  createRoute({
    ...at('/overview'),
    validateSearch: readPeriod,
    component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    ...at('/records'),
    validateSearch: readFilters,
    component: lazyRouteComponent(() => import('./records/records-page.tsx'), 'RecordsPage'),
  }),
  createRoute({
    ...at('/records/$id'),
    component: lazyRouteComponent(() => import('./records/record-page.tsx'), 'RecordPage'),
  }),
  createRoute({
    ...at('/playground'),
    // A record whose request is asked again.
    validateSearch: ({ record }: Record<string, unknown>): { readonly record?: string } =>
      typeof record === 'string' ? { record } : {},
    component: lazyRouteComponent(() => import('./calls/playground-page.tsx'), 'PlaygroundPage'),
  }),
  createRoute({ ...at('/keys'), component: lazyRouteComponent(() => import('./keys/keys-page.tsx'), 'KeysPage') }),
  createRoute({
    ...at('/providers'),
    component: lazyRouteComponent(() => import('./keys/providers-page.tsx'), 'ProvidersPage'),
  }),
  createRoute({
    ...at('/policies'),
    validateSearch: readPoliciesSearch,
    component: lazyRouteComponent(() => import('./policies/policies-page.tsx'), 'PoliciesPage'),
  }),
  createRoute({
    ...at('/prompts'),
    component: lazyRouteComponent(() => import('./prompts/prompts-page.tsx'), 'PromptsPage'),
  }),
  createRoute({
    ...at('/prompts/$id'),
    component: lazyRouteComponent(() => import('./prompts/prompt-page.tsx'), 'PromptPage'),
  }),
  createRoute({
    ...at('/configs'),
    component: lazyRouteComponent(() => import('./configs/configs-page.tsx'), 'ConfigsPage'),
  }),
  createRoute({
    ...at('/configs/$slug'),
    component: lazyRouteComponent(() => import('./configs/config-page.tsx'), 'ConfigPage'),
  }),
  createRoute({
    ...at('/integrations'),
    component: lazyRouteComponent(() => import('./organisation/integrations-page.tsx'), 'IntegrationsPage'),
  }),
  createRoute({
    ...at('/mcp-servers'),
    component: lazyRouteComponent(() => import('./mcp/mcp-page.tsx'), 'McpPage'),
  }),
  createRoute({
    ...at('/prices'),
    component: lazyRouteComponent(() => import('./prices/prices-page.tsx'), 'PricesPage'),
  }),
  createRoute({
    ...at('/exports'),
    component: lazyRouteComponent(() => import('./exports/exports-page.tsx'), 'ExportsPage'),
  }),
  createRoute({
    ...at('/batches'),
    component: lazyRouteComponent(() => import('./batches/batches-page.tsx'), 'BatchesPage'),
  }),
  createRoute({
    ...at('/deployments'),
    component: lazyRouteComponent(() => import('./deployments/deployments-page.tsx'), 'DeploymentsPage'),
  }),
  createRoute({
    ...at('/people'),
    component: lazyRouteComponent(() => import('./organisation/people-page.tsx'), 'PeoplePage'),
  }),
  createRoute({
    ...at('/secret-references'),
    component: lazyRouteComponent(() => import('./organisation/secrets-page.tsx'), 'SecretsPage'),
  }),
  createRoute({
    ...at('/audit-log'),
    component: lazyRouteComponent(() => import('./organisation/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    ...at('/health'),
    component: lazyRouteComponent(() => import('./organisation/health-page.tsx'), 'HealthPage'),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: `${PREFIX}/console`,
  defaultErrorComponent: ({ error, reset }) => (
    <div className="p-6">
      <Failed error={error} onRetry={reset} />
    </div>
  ),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
