/**
 * Moderations of Mistral, whose categories are its own and which says of none of its results whether it is flagged.
 * Sources: classificationrequest.py, moderationresponse.py and moderationllmv2categorythresholds.py of mistralai 3.7.0 (PyPI);
 * "Classifiers Endpoints" of docs.mistral.ai; read 2026-11-22.
 */
import { InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
import { type Adapter, type Moderation, type ModerationsRequest, usageFromOpenAI } from '#kit/provider'

/** Its name, where a request names none: OpenAI's may be left out, and Mistral's may not. */
const DEFAULT_MODEL = 'mistral-moderation-latest'

/** Categories of OpenAI that mean the same. The others keep Mistral's name: `health`, `financial`, `law`, `pii`, `dangerous`. */
const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['sexual', 'sexual'],
  ['hate_and_discrimination', 'hate'],
  ['violence_and_threats', 'violence'],
  ['dangerous_and_criminal_content', 'illicit'],
  ['criminal', 'illicit'],
  ['selfharm', 'self-harm'],
])

export const moderations: Adapter<'moderations'> = {
  method: 'POST',
  path: '/moderations',
  wire: 'own',
  params: {
    model: true,
    input: (input, _request, _context, report) => ({ input: textsOf(input, report) }),
    metadata: true,
  },
  always: ({ model }) => ({ model: typeof model === 'string' ? model : DEFAULT_MODEL }),
  reply: (body, { callId, model }) => {
    if (!isRecord(body) || !Array.isArray(body.results) || body.results.length === 0) {
      throw new UpstreamInvalid('The answer is no list of moderations.', { provider: 'mistral-ai' })
    }
    const usage = usageFromOpenAI(body.usage)
    return {
      reply: {
        id: typeof body.id === 'string' ? body.id : `modr-${callId}`,
        model: typeof body.model === 'string' ? body.model : model,
        results: body.results.map(toModeration),
      },
      ...(usage === undefined ? {} : { usage }),
    }
  },
}

/** Texts as they are; the parts of one input as one text, without its images. */
const textsOf = (input: ModerationsRequest['input'], report: (part: string) => void): unknown => {
  if (!Array.isArray(input)) return input
  const items: readonly unknown[] = input
  if (items.every((item) => typeof item === 'string')) return items
  const texts = items.flatMap((part, index) => {
    if (isRecord(part) && part.type === 'text' && typeof part.text === 'string') return [part.text]
    if (isRecord(part) && part.type === 'image_url') {
      report('input[].image_url')
      return []
    }
    const param = `input[${index}]`
    throw new InvalidRequest(`\`${param}\` must be a text or an image.`, { param })
  })
  if (texts.length > 0) return texts.join('\n')
  throw new InvalidRequest('`input` must have a text: the provider judges no images.', { param: 'input' })
}

const toModeration = (result: unknown): Moderation => {
  if (!isRecord(result) || !isRecord(result.categories)) {
    throw new UpstreamInvalid('A moderation of the answer has no categories.', { provider: 'mistral-ai' })
  }
  const categories: Record<string, boolean> = {}
  for (const [name, isFlagged] of Object.entries(result.categories)) {
    const known = CATEGORIES.get(name) ?? name
    categories[known] = isFlagged === true || categories[known] === true
  }
  const scores: Record<string, number> = {}
  for (const [name, score] of Object.entries(isRecord(result.category_scores) ? result.category_scores : {})) {
    const known = CATEGORIES.get(name) ?? name
    if (typeof score === 'number') scores[known] = Math.max(score, scores[known] ?? 0)
  }
  return {
    flagged: Object.values(categories).includes(true),
    categories,
    category_scores: scores,
    category_applied_input_types: Object.fromEntries(Object.keys(categories).map((name) => [name, ['text']])),
  }
}
