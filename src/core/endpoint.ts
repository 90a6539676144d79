/** The kinds of call that reach a provider. The words are those of the interface's `endpoint_type`, in short. */
export const ENDPOINTS = ['chat', 'embeddings', 'models'] as const

export type Endpoint = (typeof ENDPOINTS)[number]
