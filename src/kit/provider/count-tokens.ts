import type { ChatRequest } from './openai.ts'

/** How many tokens a provider would read. */
export interface TokenCount {
  readonly input_tokens: number
  readonly [extra: string]: unknown
}

declare module './provider.ts' {
  interface EndpointTypes {
    /** A chat of which only the input is counted: the reference form of such counts. */
    'chat-count-tokens': { request: ChatRequest; reply: TokenCount; chunk: never }
  }
}
