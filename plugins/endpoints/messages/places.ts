/**
 * Where Anthropic's clients look: they add `/v1/messages` to their base URL, whether or not that ends with a version
 * (@anthropic-ai/sdk 1.12.0 and `anthropic` 2.12.0, read 2026-11-22).
 */
export const rootsOf: readonly string[] = ['/v1', '/v1/v1', '/v2', '/v2/v1', '/openai/v1', '']

/** Fields of a body that a model reads. */
export const READS: readonly string[] = ['system', 'messages', 'tools', 'output_config', 'output_format']
