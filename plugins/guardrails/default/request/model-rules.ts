import { defineCheck, type PreparedCheck, t } from '#kit'
import { NOT, shown, turned } from '../shared/parameters.ts'
import { modelOf } from './model-whitelist.ts'

const MODELS = t.Array(t.String({ minLength: 1 }))

export const modelRules = defineCheck({
  id: 'default.modelRules',
  summary: 'Passes when the model is one of those that the metadata of the call allow.',
  parameters: t.Object({
    rules: t.Object({
      defaults: t.Optional(MODELS),
      metadata: t.Optional(t.Record(t.String(), t.Record(t.String(), MODELS))),
    }),
    not: NOT,
  }),
  stages: ['input'],
  reads: 'request',
  prepare({ rules: { defaults = [], metadata = {} }, not }): PreparedCheck {
    const byValue = Object.entries(metadata).map(([key, values]) => [key, new Map(Object.entries(values))] as const)
    return {
      run(input) {
        const model = modelOf(input)
        const matching = byValue.flatMap(([key, values]) => {
          const value = input.metadata[key]
          const models = value === undefined ? undefined : values.get(value)
          return value === undefined || models === undefined ? [] : [{ rule: `${key}:${value}`, models }]
        })
        const ruled = matching.flatMap(({ models }) => models)
        const allowed = ruled.length > 0 ? ruled : defaults
        if (allowed.length === 0)
          throw new Error('no rule holds for the metadata of the call, and there are no defaults')
        const isListed = allowed.includes(model)
        const verdict = turned(isListed, not)
        return {
          verdict,
          data: {
            verdict,
            not,
            requestedModel: model,
            matchedRules: shown(matching.map(({ rule }) => rule)),
            explanation: `The model ${isListed ? 'is' : 'is not'} in the list of ${ruled.length > 0 ? 'the rules' : 'defaults'}.`,
          },
        }
      },
    }
  },
})
