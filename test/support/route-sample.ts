/** One request that the mock provider answers, and what becomes of it. */
export interface RouteSample {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Without the operator's prefix. */
  readonly path: string
  /** Besides the gateway key and, unless the config in the body names it, the provider: see `samplesOf`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Text of JSON, or a form, which says its type itself. */
  readonly body?: string | Blob
  /** Of the mock's answer. */
  readonly status: number
  /** What the call is, in the log. */
  readonly endpoint: string
  /** Answered without a provider, and so before a config counts. */
  readonly reachesNobody?: true
  /** Its config stands in its body. */
  readonly bringsConfig?: true
}
