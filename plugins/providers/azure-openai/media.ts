/**
 * Images and sound of a deployment, in OpenAI's form. Source: openai-node 7.55.0, azure.js (`_deployments_endpoints`), read
 * 2026-11-22.
 */
import { type Adapter, nativeAdapter, type Provider } from '#kit/provider'
import { deploymentPath, modelOf } from './address.ts'

const PATHS = {
  images: 'images/generations',
  'image-edits': 'images/edits',
  speech: 'audio/speech',
  transcriptions: 'audio/transcriptions',
  translations: 'audio/translations',
} as const

/** A deployment that the call names is the model, whatever its body says. */
const params: Adapter<string>['params'] = {
  model: (model: unknown, _request: unknown, context) =>
    typeof model === 'string' ? { model: modelOf(model, context) } : {},
}

export const media: Provider['endpoints'] = Object.fromEntries(
  Object.entries(PATHS).map(([form, operation]) => [form, { ...nativeAdapter(deploymentPath(operation)), params }]),
)
