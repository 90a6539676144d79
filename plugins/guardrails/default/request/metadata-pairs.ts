import { type Check, defineCheck, type PreparedCheck, t } from '#kit'
import { EXPECTED, MATCH_TYPE, readExpected } from '../shared/expected-value.ts'
import { explain, fits, operator, shown } from '../shared/parameters.ts'

const ofId = (id: string): Check =>
  defineCheck({
    id,
    summary: 'Passes when the metadata of the call have all, any or none of some values.',
    parameters: t.Object({
      metadataPairs: t.Record(t.String({ minLength: 1 }), EXPECTED, { minProperties: 1 }),
      operator: operator('all'),
      matchType: MATCH_TYPE,
    }),
    stages: ['input'],
    reads: 'request',
    prepare({ metadataPairs, operator, matchType }): PreparedCheck {
      const pairs = Object.entries(metadataPairs).map(
        ([key, expected]) => [key, readExpected(expected, matchType, `metadataPairs.${key}`)] as const,
      )
      return {
        run({ metadata }) {
          const isThere = ([key, matches]: (typeof pairs)[number]) =>
            Object.hasOwn(metadata, key) && matches(metadata[key])
          const found = pairs.filter(isThere).map(([key]) => key)
          const missing = pairs.map(([key]) => key).filter((key) => !found.includes(key))
          const verdict = fits(operator, found, missing)
          return {
            verdict,
            data: {
              verdict,
              operator,
              matchType,
              found_metadata_keys: shown(found),
              missing_metadata_keys: shown(missing),
              explanation: explain('values', operator, verdict),
            },
          }
        },
      }
    },
  })

export const requiredMetadataKeyValuePairs = ofId('default.requiredMetadataKeyValuePairs')

/** Its shorter name. */
export const requiredMetadataKeyPairs = ofId('default.requiredMetadataKeyPairs')
