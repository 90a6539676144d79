import type { Endpoint } from '#kit'
import type { Bridge } from '#kit/provider'
import { anthropicModelByModel, anthropicModelsByModels } from './anthropic.ts'
import { geminiModel, geminiModelByModel, geminiModels, geminiModelsByModels } from './gemini.ts'
import { models } from './list.ts'
import { model, modelDelete } from './one.ts'

/** Models, one by one and all of them, in each form that clients ask in. */
export const modelEndpoints: readonly Endpoint[] = [models, model, modelDelete, geminiModels, geminiModel]
export const modelBridges: readonly Bridge[] = [
  anthropicModelsByModels,
  anthropicModelByModel,
  geminiModelsByModels,
  geminiModelByModel,
]
