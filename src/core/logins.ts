/** What a provider plugin may ask of services that give out tokens: the one reason for it to reach anything by itself. */

export interface LoginRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Absolute http(s) URL, of parts that are constants, the operator's, or checked: callers never choose its host. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /**
   * Asks for the machine's own identity: metadata services of clouds may be reached then, and addresses that the environment
   * names. Only for logins that the operator's config or a stored provider asks for.
   */
  readonly asMachine?: true
}

export interface LoginAnswer {
  readonly status: number
  /** At most 1 MiB. */
  readonly text: string
}

/** The way to services that give out tokens, and what the machine says of itself. */
export interface Logins {
  /**
   * Redirects are not followed.
   * @throws EgressRefused, UpstreamUnreachable, or another catalogue error of an answer that did not come within 10 seconds
   */
  send(request: LoginRequest): Promise<LoginAnswer>
  /**
   * A file that the operator's config or environment names, such as a token that the platform writes anew every hour.
   * @throws Error for one that cannot be read, or is larger than 1 MiB
   */
  readFile(path: string): Promise<string>
  /** Variables of the environment by which clouds tell a machine about its identity: `AZURE_`, `AWS_`, `GOOGLE_`, ... */
  readonly environment: Readonly<Record<string, string | undefined>>
}
