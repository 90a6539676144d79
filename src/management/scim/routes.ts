import type { AnyRoute } from '../route.ts'
import { scimDiscoveryRoutes, scimSearchRoutes } from './discovery-routes.ts'
import { scimGroupRoutes } from './group-routes.ts'
import { scimMappingRoutes } from './mapping-routes.ts'
import { scimUserRoutes } from './user-routes.ts'

/** Users and groups as directories provision them (RFC 7644), and what groups are in workspaces. */
export const scimRoutes: readonly AnyRoute[] = [
  ...scimDiscoveryRoutes,
  ...scimUserRoutes,
  ...scimGroupRoutes,
  ...scimSearchRoutes,
  ...scimMappingRoutes,
]
