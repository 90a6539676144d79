import { refuse } from './json.ts'

/**
 * How a model is told how much to think (page "Gemini thinking", read 2026-11-21): not at all before 2.5, by a token
 * budget in 2.5, by a level from 3 on. Aliases such as `gemini-flash-latest` mean a model of the newest family.
 */
export type ThinkingFamily = 'none' | 'budget' | 'level'

/** The name of a model without the `models/` that Google's own lists put before it. */
export const bareModel = (model: string): string =>
  model.startsWith('models/') ? model.slice('models/'.length) : model

/** The resource of a model, percent-encoded. @throws InvalidRequest for a name that no URL can hold. */
export const modelPath = (model: string): string => {
  const name = bareModel(model)
  if (name === '' || !name.isWellFormed()) throw refuse('model', 'Name a Gemini model, such as `gemini-3.8-flash`.')
  return `/models/${encodeURIComponent(name)}`
}

/**
 * The model that a path names: `/models/<name>:method`, also below a version. A tuned one is named as a whole,
 * `tunedModels/<name>`, as no other model is that.
 */
export const modelInPath = (path: string): string | undefined => {
  const [, kind, name] = /^(?:\/v\d\w*)?\/(models|tunedModels)\/([^/:]+)/.exec(path) ?? []
  return kind === 'tunedModels' ? `tunedModels/${name}` : name
}

export const thinkingFamily = (model: string): ThinkingFamily => {
  const version = /^gemini-(\d+)(?:\.(\d+))?/.exec(bareModel(model))
  if (version === null) return 'level'
  const major = Number(version[1])
  if (major >= 3) return 'level'
  return major === 2 && Number(version[2] ?? 0) >= 5 ? 'budget' : 'none'
}

/** Pro models cannot stop thinking, and have no level below `low`. */
export const isPro = (model: string): boolean => /(^|-)pro(-|$)/.test(bareModel(model))

/**
 * Before Gemini 3, functions and a JSON answer exclude each other: "Function calling with a response mime type:
 * 'application/json' is unsupported" (page "Structured outputs", part "with tools", and issue 867 of
 * googleapis/python-genai, read 2026-11-22).
 */
export const takesFormatBesideTools = (model: string): boolean => thinkingFamily(model) === 'level'

/**
 * From Gemini 3 on, the response of a function may hold files (page "Function calling", part "Multimodal function responses");
 * before, it is a 400 ("Multimodal function responses are not supported for this model"). Read 2026-11-22.
 */
export const takesMediaInResults = (model: string): boolean =>
  bareModel(model).startsWith('gemini-') && thinkingFamily(model) === 'level'

/** From Gemini 3 on, a function call in the history without its signature is refused with 400. */
export const wantsSignatures = (model: string): boolean =>
  bareModel(model).startsWith('gemini-') && thinkingFamily(model) === 'level'
