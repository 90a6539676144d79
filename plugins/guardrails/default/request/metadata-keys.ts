import { defineCheck, t } from '#kit'
import { explain, fits, operator, shown } from '../shared/parameters.ts'

export const requiredMetadataKeys = defineCheck({
  id: 'default.requiredMetadataKeys',
  summary: 'Passes when the metadata of the call have all, any or none of some keys.',
  parameters: t.Object({
    metadataKeys: t.Array(t.String({ minLength: 1 }), { minItems: 1 }),
    operator: operator('all'),
  }),
  stages: ['input'],
  reads: 'request',
  run({ metadata }, { metadataKeys, operator }) {
    const found = metadataKeys.filter((key) => Object.hasOwn(metadata, key))
    const missing = metadataKeys.filter((key) => !Object.hasOwn(metadata, key))
    const verdict = fits(operator, found, missing)
    return {
      verdict,
      data: {
        verdict,
        operator,
        found_metadata_keys: shown(found),
        missing_metadata_keys: shown(missing),
        explanation: explain('keys', operator, verdict),
      },
    }
  },
})
