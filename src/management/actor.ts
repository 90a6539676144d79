/** Who makes a management call: a key, or somebody who holds a token made from one. */
export interface Actor {
  readonly kind: 'organisation-service' | 'workspace-service' | 'workspace-user'
  /** Id of the key; for an external token its subject. */
  readonly id: string
  readonly name: string
  readonly organisationId: string
  /** Absent for an organisation key, which reaches every workspace of its organisation. */
  readonly workspaceId?: string
  readonly userId?: string
  readonly scopes: ReadonlySet<string>
}

/** Finds who a bearer token stands for. */
export interface Actors {
  /**
   * @returns undefined for a token that is unknown, expired or revoked.
   * @throws StoreUnavailable when the database would have to be asked and does not answer.
   */
  find(token: string): Actor | undefined | Promise<Actor | undefined>
}

/** Who made or changed something, as objects remember it: the user of a key that has one, else the key or token. */
export const authorOf = ({ userId, id }: Actor): string => userId ?? id
