import { type Check, defineCheck, isRecord, t } from '#kit'
import { partnerParameters, pick, records, unreadable } from './partner.ts'

interface Moderation {
  readonly id: string
  readonly summary: string
  /** Name of the partner, for errors. */
  readonly partner: string
  readonly providerId: string
  readonly model: string
  /** Names of the interface, and those of the gateway's own answers that mean the same. */
  readonly categories: Readonly<Record<string, readonly string[]>>
  /** Whether categories have to be chosen. */
  readonly mustChoose: boolean
}

/**
 * A check by the moderation endpoint of a provider of models. It is asked through the gateway: so its calls are limited, paid for and
 * recorded as those of other models are, and its adapter is the one that reads the answer.
 */
const moderation = ({ id, summary, partner, providerId, model, categories, mustChoose }: Moderation): Check => {
  const names = Object.keys(categories)
  return defineCheck({
    id,
    summary,
    parameters: t.Object({
      categories: t.Array(t.Union(names.map((name) => t.Literal(name))), {
        minItems: 1,
        uniqueItems: true,
        description: 'Categories of which none may be flagged.',
        ...(mustChoose ? {} : { default: names }),
      }),
      model: t.String({ minLength: 1, maxLength: 256, default: model, description: 'Model that judges.' }),
      ...partnerParameters(),
    }),
    stages: ['input', 'output'],
    needs: ['credentials', 'ask'],
    prepare({ categories: chosen, model, credentials, timeout }) {
      const refused = chosen.flatMap((name) => categories[name] ?? [])
      return {
        deadlineMs: timeout,
        async run({ texts }, powers) {
          const { slug } = await powers.credentials([providerId], credentials)
          const input = texts.filter((text) => text.trim() !== '')
          const answer = await powers.ask('/moderations', `@${slug}`, { model, input })
          const results = records(answer.results)
          if (results.length !== input.length) throw unreadable(partner, 'not one result for each text')
          const judged = results.map(({ categories: found, category_scores: scores }) => {
            if (!isRecord(found)) throw unreadable(partner, 'a result without categories')
            return {
              flagged: refused.filter((name) => found[name] === true),
              category_scores: pick(isRecord(scores) ? scores : {}, refused),
            }
          })
          return { verdict: judged.every(({ flagged }) => flagged.length === 0), data: { results: judged } }
        },
      }
    },
  })
}

/** Source: "Create moderation" of the API reference of OpenAI, as openai-node 7.55.0 types it, read 2026-11-23. */
export const openaiModeration = moderation({
  id: 'openai.moderateContent',
  summary: 'Passes when the moderation of OpenAI flags none of the categories.',
  partner: 'OpenAI',
  providerId: 'openai',
  model: 'omni-moderation-latest',
  categories: Object.fromEntries(
    [
      'harassment',
      'harassment/threatening',
      'hate',
      'hate/threatening',
      'illicit',
      'illicit/violent',
      'self-harm',
      'self-harm/instructions',
      'self-harm/intent',
      'sexual',
      'sexual/minors',
      'violence',
      'violence/graphic',
    ].map((name) => [name, [name]]),
  ),
  mustChoose: false,
})

/** The gateway answers in OpenAI's names, where Mistral's mean the same: see its adapter. */
export const mistralModeration = moderation({
  id: 'mistral.moderateContent',
  summary: 'Passes when the moderation of Mistral flags none of the categories.',
  partner: 'Mistral',
  providerId: 'mistral-ai',
  model: 'mistral-moderation-latest',
  categories: {
    sexual: ['sexual'],
    hate_and_discrimination: ['hate'],
    violence_and_threats: ['violence'],
    dangerous_and_criminal_content: ['illicit', 'dangerous'],
    selfharm: ['self-harm'],
    health: ['health'],
    financial: ['financial'],
    law: ['law'],
    pii: ['pii'],
  },
  mustChoose: true,
})
