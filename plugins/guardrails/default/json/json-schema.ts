import { readSchema, SchemaRefused, TooComplex } from '#calls/json-schema/schema'
import { defineCheck, InvalidParameters, type PreparedCheck, t } from '#kit'
import { excerpt, someText } from '../shared/excerpt.ts'
import { jsonIn } from '../shared/json-texts.ts'
import { NOT, turned } from '../shared/parameters.ts'

/** Faults of a value that are told, at most. */
const MAX_FAULTS = 20

/** Draft 2020-12. */
export const jsonSchema = defineCheck({
  id: 'default.jsonSchema',
  summary: 'Passes when JSON in a text fits a schema; with `not`, when there is some and none of it fits.',
  parameters: t.Object({ schema: t.Union([t.Record(t.String(), t.Unknown()), t.Boolean()]), not: NOT }),
  stages: ['input', 'output'],
  prepare({ schema, not }): PreparedCheck {
    const check = read(schema)
    return {
      run(input) {
        const values = jsonIn(someText(input))
        const faults = values.map((value) => faultsOf(check, value))
        const fitting = faults.findIndex(({ length }) => length === 0)
        const verdict = values.length > 0 && turned(fitting !== -1, not)
        const shown = values[Math.max(fitting, 0)]
        return {
          verdict,
          data: {
            verdict,
            not,
            explanation: explanationOf(values.length, fitting !== -1),
            matchedJson: values.length === 0 ? null : excerpt(JSON.stringify(shown)),
            validationErrors: fitting === -1 ? (faults[0] ?? []).slice(0, MAX_FAULTS) : [],
          },
        }
      },
    }
  },
})

const read = (schema: unknown) => {
  try {
    return readSchema(schema)
  } catch (thrown) {
    if (!(thrown instanceof SchemaRefused)) throw thrown
    throw new InvalidParameters(
      thrown.violations.map(({ path, message }) => ({ path: path === '' ? 'schema' : `schema.${path}`, message })),
    )
  }
}

const faultsOf = (check: ReturnType<typeof readSchema>, value: unknown) => {
  try {
    return check(value)
  } catch (thrown) {
    if (!(thrown instanceof TooComplex)) throw thrown
    return [{ path: '', message: thrown.message }]
  }
}

const explanationOf = (values: number, isFitting: boolean): string => {
  if (values === 0) return 'There is no JSON in the text.'
  return isFitting ? 'JSON in the text fits the schema.' : 'No JSON in the text fits the schema.'
}
