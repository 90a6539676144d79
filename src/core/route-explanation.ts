/** What a router decided at one node of a config. */
export interface RouteStep {
  /** Path of the node: `config` or `config.targets[0]`. */
  readonly path: string
  /** Strategy of the node; `target` for one that has no targets below it. */
  readonly mode: 'single' | 'fallback' | 'loadbalance' | 'conditional' | 'target'
  /**
   * Path of the target that the node would go on with; at a target itself `chosen`, or `skipped` for one that would not
   * be asked now.
   */
  readonly decision: string
  /** One sentence: why. */
  readonly reason: string
}

/** The first place that a call would be sent to. */
export interface ChosenRoute {
  readonly path: string
  /** Id of the provider. */
  readonly provider: string
  /** Slug of the stored provider, if it is one. */
  readonly virtualKey?: string
  /** Absent for a call without one. */
  readonly model?: string
  /** Guardrails of its config, besides those that hold for every call of the workspace: as the config names them. */
  readonly guardrails?: { readonly input: readonly string[]; readonly output: readonly string[] }
  /** How long it would be waited for, as another target could take over, and what that was learnt from. */
  readonly firstToken?: {
    readonly limitMs: number
    /** Answers of late of the same target and model. */
    readonly answers: number
    readonly p95Ms?: number
    /** The model may think before it answers. */
    readonly thinks: boolean
  }
}

/** How a router would go about a call, without making it. */
export interface RouteExplanation {
  /** Absent when the call would be sent nowhere. */
  readonly chosen?: ChosenRoute
  /** In the order in which they would be decided. */
  readonly steps: readonly RouteStep[]
}
