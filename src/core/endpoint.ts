/**
 * The kinds of call that reach a provider. The words are those of the interface's `endpoint_type`, in short; `proxy` is a
 * call that passes through as it is, `render` one that fills in a prompt and reaches no provider.
 */
export const ENDPOINTS = ['chat', 'completions', 'embeddings', 'models', 'proxy', 'render'] as const

export type Endpoint = (typeof ENDPOINTS)[number]
