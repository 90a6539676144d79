/** What the tests use of `oidc-provider` 9.13, which brings no types of its own (its README and docs, read 2026-11-25). */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    readonly AccessToken: {
      find(token: string): Promise<{ readonly accountId: string; readonly aud?: string } | undefined>
    }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string } } | { readonly error: string },
      options: { readonly mergeWithLastSubmission: false },
    ): Promise<void>
  }

  export = Provider
}
