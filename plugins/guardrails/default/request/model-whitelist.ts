import { type Check, type CheckInput, defineCheck, type PreparedCheck, t } from '#kit'
import { NOT, shown, turned } from '../shared/parameters.ts'

/** @throws Error for a request that names none */
export const modelOf = ({ model, json }: Pick<CheckInput, 'model' | 'json'>): string => {
  const name = model ?? json.model
  if (typeof name !== 'string' || name === '') throw new Error('the request names no model')
  return name
}

const ofId = (id: string): Check =>
  defineCheck({
    id,
    summary: 'Passes when the model is one of a list; with `not`, when it is none of them.',
    parameters: t.Object({ models: t.Array(t.String({ minLength: 1 }), { minItems: 1 }), not: NOT }),
    stages: ['input'],
    reads: 'request',
    prepare({ models, not }): PreparedCheck {
      const listed = new Set(models)
      return {
        run(input) {
          const model = modelOf(input)
          const isListed = listed.has(model)
          const verdict = turned(isListed, not)
          return {
            verdict,
            data: {
              verdict,
              not,
              requestedModel: model,
              allowedModels: shown(models),
              explanation: `The model ${isListed ? 'is' : 'is not'} in the list.`,
            },
          }
        },
      }
    },
  })

export const modelWhitelist = ofId('default.modelWhitelist')

/** Its name in older configs. */
export const modelwhitelist = ofId('default.modelwhitelist')
