import { defined } from '../../core/defined.ts'
import type { CheckStage } from '../../core/guardrails.ts'
import { type DefaultSets, holdDefaults, putDefaults } from '../../store/objects/guardrail-defaults.ts'
import type { GuardrailPlace } from '../../store/objects/guardrails.ts'
import type { Db } from '../../store/types.ts'
import { reachNamed } from './references.ts'

const STAGES: readonly CheckStage[] = ['input', 'output']

/** Default guardrails as a body says them. */
export interface DefaultsBody {
  readonly input_guardrails?: readonly string[] | null | undefined
  readonly output_guardrails?: readonly string[] | null | undefined
}

/**
 * Writes the sets that are given; null clears one.
 * @param path of the object that the sets stand in, with a dot at its end
 * @throws ManagementReference, ManagementInvalid naming the field
 */
export const changeDefaults = async (
  transaction: Db,
  place: GuardrailPlace,
  body: DefaultsBody,
  path = '',
): Promise<void> => {
  const given = STAGES.flatMap((stage) => {
    const references = body[`${stage}_guardrails`]
    return references === undefined ? [] : [{ stage, references: references ?? [] }]
  })
  if (given.length === 0) return
  await holdDefaults(transaction, place)
  for (const { stage, references } of given) {
    const named = references.map((reference, index) => ({ reference, path: `${path}${stage}_guardrails[${index}]` }))
    const found = await reachNamed(transaction, place, named)
    await putDefaults(
      transaction,
      place,
      stage,
      found.map(({ id }) => id),
    )
  }
}

/** Both sets as the interface shows them. */
export const showDefaults = ({ input, output }: DefaultSets) => ({
  input_guardrails: [...input],
  output_guardrails: [...output],
})

/** The sets that have something in them. */
export const showSetDefaults = ({ input, output }: DefaultSets) =>
  defined({
    input_guardrails: input.length === 0 ? undefined : [...input],
    output_guardrails: output.length === 0 ? undefined : [...output],
  })
