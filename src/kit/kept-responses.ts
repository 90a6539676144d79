type Fields = Readonly<Record<string, unknown>>

/** A response that Weir keeps, for a provider that keeps none. */
export interface KeptResponse {
  readonly id: string
  /** The one that it goes on from. */
  readonly previousId?: string | undefined
  /** What was asked besides that: items, each with an id. */
  readonly input: readonly Fields[]
  readonly response: Fields
}

/** One that is to be kept. Its parts are read later, when no call waits. */
export interface ResponseToKeep extends Pick<KeptResponse, 'id' | 'previousId'> {
  readonly organisationId: string
  readonly workspaceId: string
  /** Its size, about. */
  readonly bytes: number
  /** Milliseconds until it is forgotten. */
  readonly forMs: number
  read(): Pick<KeptResponse, 'input' | 'response'>
}

/** Responses by workspace. Looking one up asks the database. */
export interface KeptResponses {
  /**
   * Keeps a response soon, and finds it from now on. Never waits and never fails: what finds no room is lost, and logged.
   */
  keep(response: ResponseToKeep): void
  /** @throws StoreUnavailable (503) */
  find(workspaceId: string, id: string): Promise<KeptResponse | undefined>
  /**
   * A response with all that it goes on from, the oldest first. Empty where one of them is not kept.
   * @throws StoreUnavailable (503)
   */
  conversation(workspaceId: string, id: string): Promise<readonly KeptResponse[]>
  /** @returns false for one that is not kept. @throws StoreUnavailable (503) */
  delete(workspaceId: string, id: string): Promise<boolean>
}
