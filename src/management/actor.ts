/** Who makes a management call: a key, somebody who holds a token made from one, a person who signed in, or a data plane. */
export interface Actor {
  readonly kind: 'organisation-service' | 'workspace-service' | 'workspace-user' | 'user' | 'deployment'
  /** Id of the key, user or deployment; for an external token its subject. */
  readonly id: string
  readonly name: string
  readonly organisationId: string
  /** Absent for an organisation key, an owner or an admin, who reach every workspace of their organisation. */
  readonly workspaceId?: string
  readonly userId?: string
  readonly scopes: ReadonlySet<string>
  /** The session of a browser that the call came with, in the place of a token. */
  readonly session?: ActorSession
}

/** What a session may know of itself. */
export interface ActorSession {
  readonly id: string
  /** Has to come with each change, in the header `x-gateway-csrf`. */
  readonly csrfToken: string
  readonly endsAt: Date
}

/** Finds who the session of a browser stands for. */
export interface SessionActors {
  /**
   * @returns undefined where there is no session, or it is over
   * @throws ManagementForbidden for a change that another site may have had made
   * @throws StoreUnavailable when the database would have to be asked and does not answer
   */
  find(request: Request): Actor | undefined | Promise<Actor | undefined>
}

/** Finds who a bearer token stands for. */
export interface Actors {
  /**
   * @returns undefined for a token that is unknown, expired or revoked.
   * @throws StoreUnavailable when the database would have to be asked and does not answer.
   */
  find(token: string): Actor | undefined | Promise<Actor | undefined>
}

/** A data plane, with the credentials that it came with. */
export interface DeploymentActor extends Actor {
  readonly kind: 'deployment'
  readonly username: string
}

export const isDeployment = (actor: Actor): actor is DeploymentActor => actor.kind === 'deployment'

/** Finds the data plane that an `Authorization: Basic` stands for. */
export interface DeploymentActors {
  /**
   * @param credentials what stands behind `Basic`
   * @param address whose failures are counted together
   * @throws ManagementUnauthorized, ManagementForbidden for a deployment that is archived, ManagementTooMany
   */
  find(credentials: string, address: string | undefined): Promise<DeploymentActor>
}

/** Who made or changed something, as objects remember it: the user of a key that has one, else the key or token. */
export const authorOf = ({ userId, id }: Actor): string => userId ?? id
