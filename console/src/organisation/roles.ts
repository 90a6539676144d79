/** What somebody can be in the organisation. */
export const ROLES = {
  member: 'Member: what their workspaces say',
  admin: 'Admin',
  owner: 'Owner',
} as const

export type Role = keyof typeof ROLES

/** What somebody can be in a workspace. */
export const WORKSPACE_ROLES = { member: 'Member', manager: 'Manager', admin: 'Admin' } as const

export type WorkspaceRole = keyof typeof WORKSPACE_ROLES
