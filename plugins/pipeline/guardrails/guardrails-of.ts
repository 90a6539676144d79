import { type CompiledGuardrail, compileGuardrail } from '#calls/guardrails/compile'
import type {
  DefaultGuardrails,
  GuardrailDefinition,
  GuardrailUse,
  GuardrailUses,
  StoredGuardrail,
} from '#core/guardrails'
import { type Host, InvalidConfig } from '#kit'

/** Guardrails of one stage of a call: of the organisation and the workspace, then of the config. */
export type Groups = readonly (readonly CompiledGuardrail[])[]

export interface CallGuardrails {
  readonly input: Groups
  readonly output: Groups
}

/** Finds the guardrails of calls, each made ready once for each of its versions. */
export class Guardrails {
  readonly #host: Pick<Host, 'checks' | 'guardrails'>
  readonly #compiled = new WeakMap<StoredGuardrail | GuardrailDefinition, CompiledGuardrail>()
  readonly #defaults = new WeakMap<DefaultGuardrails, CallGuardrails>()

  constructor(host: Pick<Host, 'checks' | 'guardrails'>) {
    this.#host = host
  }

  /**
   * @returns undefined where nothing is to be looked at
   * @throws InvalidConfig for a stored guardrail that the workspace does not have
   */
  of(workspaceId: string, uses: GuardrailUses | undefined): CallGuardrails | undefined {
    const defaults = this.#host.guardrails.defaultsOf(workspaceId)
    const hasDefaults = defaults.input.length > 0 || defaults.output.length > 0
    if (uses === undefined) return hasDefaults ? this.#ofDefaults(defaults) : undefined
    const { input, output } = this.#ofDefaults(defaults)
    return {
      input: [...input, this.#ofUses(workspaceId, uses.input)],
      output: [...output, this.#ofUses(workspaceId, uses.output)],
    }
  }

  #ofDefaults(defaults: DefaultGuardrails): CallGuardrails {
    const known = this.#defaults.get(defaults)
    if (known !== undefined) return known
    const { input, output } = defaults
    const made = { input: this.#groups(input), output: this.#groups(output) }
    this.#defaults.set(defaults, made)
    return made
  }

  /** What one scope has changed, the next one gets. */
  #groups(stored: readonly StoredGuardrail[]): Groups {
    const ofModels = stored.filter(({ target }) => target === 'llm')
    const of = (scope: StoredGuardrail['scope']) =>
      ofModels.filter((each) => each.scope === scope).map((each) => this.#ofStored(each))
    return [of('organisation'), of('workspace')]
  }

  #ofUses(workspaceId: string, uses: readonly GuardrailUse[]): readonly CompiledGuardrail[] {
    return uses.map((use) => {
      if (use.kind === 'inline') return this.#compile(use.definition, use.definition, use)
      return this.#ofStored(this.#find(workspaceId, use))
    })
  }

  #find(workspaceId: string, { reference, path }: Extract<GuardrailUse, { kind: 'stored' }>): StoredGuardrail {
    const stored = this.#host.guardrails.find(workspaceId, reference)
    if (stored?.target === 'llm') return stored
    const fault = stored === undefined ? 'which this workspace does not have' : 'which is for tools of MCP servers'
    throw new InvalidConfig(`\`${path}\` names the guardrail '${reference}', ${fault}.`, { param: path })
  }

  #ofStored(stored: StoredGuardrail): CompiledGuardrail {
    if (stored.failure !== undefined) throw stored.failure
    return this.#compile(stored, stored.definition, stored)
  }

  #compile(
    key: StoredGuardrail | GuardrailDefinition,
    definition: GuardrailDefinition,
    named: { readonly id: string; readonly name?: string },
  ): CompiledGuardrail {
    const known = this.#compiled.get(key)
    if (known !== undefined) return known
    const compiled = compileGuardrail(definition, named, this.#host.checks)
    this.#compiled.set(key, compiled)
    return compiled
  }
}
