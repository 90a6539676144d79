import type { CountryCode } from 'libphonenumber-js/max'
import { isSupportedCountry } from 'libphonenumber-js/max'
import { type Check, type CheckPowers, type CheckVerdict, defineCheck, InvalidParameters, t } from '#kit'
import { timeout } from '../parameters.ts'
import { countHits, type Hit, inOrder, Redaction, settled } from '../text/hits.ts'
import { CATEGORIES, type Category, FOUND_BY_MODEL, type FormCategory } from './categories.ts'
import { piiFinder } from './find.ts'
import { askPresidio, type PresidioSettings } from './presidio.ts'

const parameters = t.Object({
  categories: t.Array(t.Union(CATEGORIES.map((category) => t.Literal(category))), {
    minItems: 1,
    description: 'What is looked for.',
  }),
  redact: t.Boolean({ default: false, description: 'Replace what is found, and pass.' }),
  phoneRegions: t.Array(t.String({ pattern: '^[A-Z]{2}$' }), {
    default: ['US'],
    maxItems: 10,
    description:
      'Countries (ISO 3166) whose phone numbers are found as people write them at home, without `+` and country.',
  }),
  timeout,
})

/** The check for personal data. @param presidio absent: names and places are not looked for, and the data says so */
export const piiCheck = (presidio: PresidioSettings | undefined): Check =>
  defineCheck({
    id: 'gateway.pii',
    summary: 'Passes unless a text holds personal data; with `redact` it replaces them and passes.',
    parameters,
    stages: ['input', 'output'],
    needs: presidio === undefined ? [] : ['fetch'],
    prepare({ categories, redact, phoneRegions, timeout: deadlineMs }) {
      const finder = piiFinder(categories, readRegions(phoneRegions))
      const byModel = FOUND_BY_MODEL.filter((category) => categories.includes(category))
      const asksModel = presidio !== undefined && byModel.length > 0

      const judge = (texts: readonly string[], hitsOfTexts: readonly (readonly Hit<Category>[])[]): CheckVerdict => {
        const hits = hitsOfTexts.flat()
        const data = {
          categories: countHits(hits),
          ...(byModel.length > 0 && presidio === undefined && { notCovered: byModel }),
        }
        if (!redact || hits.length === 0) return { verdict: hits.length === 0, data }
        const redaction = new Redaction()
        return {
          verdict: true,
          data,
          edits: texts.map((text, index) => redaction.edits(text, hitsOfTexts[index] ?? [])),
        }
      }

      const runWithModel = async (
        texts: readonly string[],
        found: readonly (readonly Hit<FormCategory>[])[],
        settings: PresidioSettings,
        powers: CheckPowers,
      ): Promise<CheckVerdict> => {
        try {
          const named = await Promise.all(texts.map((text) => askPresidio(settings, text, byModel, powers)))
          return judge(
            texts,
            found.map((hits, index) => inOrder<Category>([...hits, ...(named[index] ?? [])], CATEGORIES)),
          )
        } catch (thrown) {
          // What was found by its form counts all the same.
          return {
            ...judge(texts, found),
            error: thrown instanceof Error ? thrown : new Error('the Presidio analyzer failed'),
          }
        }
      }

      return {
        deadlineMs,
        // A model judges a name by the whole text.
        ...(!asksModel && { reach: finder.reach }),
        run({ texts, part }, powers) {
          const found = texts.map((text) => settled(finder.find(text), text, part, finder.reach))
          return asksModel ? runWithModel(texts, found, presidio, powers) : judge(texts, found)
        },
      }
    },
  })

const readRegions = (regions: readonly string[]): CountryCode[] =>
  regions.map((region, index) => {
    if (isSupportedCountry(region)) return region
    throw new InvalidParameters([
      { path: `phoneRegions[${index}]`, message: `'${region}' is no country with phone numbers` },
    ])
  })
