/** Well-known values of `gen_ai.provider.name` (OpenTelemetry semantic conventions 1.45, read 2026-11-22). */
const PROVIDER_NAME: Readonly<Record<string, string>> = {
  'azure-openai': 'azure.ai.openai',
  'azure-ai': 'azure.ai.inference',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  'vertex-ai': 'gcp.vertex_ai',
  'mistral-ai': 'mistral_ai',
  'perplexity-ai': 'perplexity',
  xai: 'x_ai',
}

/** What OpenTelemetry calls a provider; one that it does not know goes by its own id. */
export const genAiProvider = (id: string): string => PROVIDER_NAME[id] ?? id
