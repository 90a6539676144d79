import { defineCheck, isRecord, t } from '#kit'
import { excerpt, someText } from '../shared/excerpt.ts'
import { jsonIn } from '../shared/json-texts.ts'
import { explain, fits, operator, shown } from '../shared/parameters.ts'

export const jsonKeys = defineCheck({
  id: 'default.jsonKeys',
  summary: 'Passes when an object of JSON in a text has any, all or none of some keys.',
  parameters: t.Object({
    keys: t.Array(t.String(), { minItems: 1 }),
    operator: operator('any'),
  }),
  stages: ['input', 'output'],
  run(input, { keys, operator }) {
    const text = someText(input)
    const objects = jsonIn(text).filter(isRecord)
    const judged = objects.map((object) => {
      const present = keys.filter((key) => Object.hasOwn(object, key))
      const missing = keys.filter((key) => !Object.hasOwn(object, key))
      return { present, missing, isFit: fits(operator, present, missing) }
    })
    const best =
      judged.find(({ isFit }) => isFit) ?? judged.toSorted((one, other) => other.present.length - one.present.length)[0]
    const verdict = best?.isFit ?? false
    return {
      verdict,
      data: {
        verdict,
        operator,
        presentKeys: shown(best?.present ?? []),
        missingKeys: shown(best?.missing ?? keys),
        explanation:
          best === undefined ? 'There is no object of JSON in the text.' : explain('keys', operator, verdict),
        textExcerpt: excerpt(text),
      },
    }
  },
})
