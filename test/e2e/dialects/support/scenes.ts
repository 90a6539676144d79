/** What a model is made to say, whichever provider says it: the last `[scene:…]` of a request names one. */
export interface Scene {
  readonly thinking?: { readonly text: string; readonly signature: string }
  /** In the pieces in which it streams. */
  readonly text?: readonly string[]
  readonly calls?: readonly ToolCall[]
  readonly finish: Finish
  /** Status of the error that comes instead of an answer. */
  readonly refuses?: number
  /** What becomes of a stream behind its first piece of text. */
  readonly breaks?: 'error' | 'cut'
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON, in the pieces in which it streams. */
  readonly pieces: readonly string[]
}

export type Finish = 'stop' | 'length' | 'tools' | 'filter'

/** Of each answer. Cached input is part of the input, reasoning part of the output. */
export const USAGE = { input: 20, cached: 8, output: 11 } as const

const THINKING = { text: 'Let me think about it.', signature: 'c2lnbmF0dXJlLW9mLXRoZS10aG91Z2h0cy0wMTIzNDU2Nzg5' }

const CALLS: readonly ToolCall[] = [
  { id: 'call_paris', name: 'weather', pieces: ['{"city":', '"Paris"}'] },
  { id: 'call_oslo', name: 'weather', pieces: ['{"ci', 'ty":"Os', 'lo","days":2}'] },
]

export const SCENES = {
  text: { text: ['Hello', ' there, ', 'Grüße 🙂!'], finish: 'stop' },
  tools: { calls: CALLS, finish: 'tools' },
  'text-and-tools': { text: ['I will look it up.'], calls: CALLS, finish: 'tools' },
  results: { text: ['18 in Paris, ', '7 in Oslo.'], finish: 'stop' },
  thinking: { thinking: THINKING, text: ['It is 42.'], finish: 'stop' },
  'thinking-tools': { thinking: THINKING, calls: CALLS, finish: 'tools' },
  json: { text: ['{"name":', '"Ada"}'], finish: 'stop' },
  length: { text: ['Once upon'], finish: 'length' },
  filter: { text: ['I cannot'], finish: 'filter' },
  refused: { finish: 'stop', refuses: 400 },
  limited: { finish: 'stop', refuses: 429 },
  overloaded: { text: ['Half of'], finish: 'stop', breaks: 'error' },
  cut: { text: ['Half of'], finish: 'stop', breaks: 'cut' },
} as const satisfies Record<string, Scene>

export type SceneName = keyof typeof SCENES

/** The scene that a request asks for. */
export const sceneOf = (body: string): Scene => {
  const name = [...body.matchAll(/\[scene:([a-z-]+)\]/g)].at(-1)?.[1] ?? ''
  if (!Object.hasOwn(SCENES, name)) throw new Error(`no scene is named in ${body}`)
  return SCENES[name as SceneName]
}

export const wholeText = ({ text = [] }: Scene): string => text.join('')

/** What a provider was asked, whatever its form: what both sides of a translation have in common. */
export interface Asked {
  readonly system: string
  /** Texts of the user, and of results of tools, one after the other. */
  readonly texts: readonly string[]
  readonly images: number
  readonly tools: readonly string[]
  readonly forced: boolean
  readonly calls: readonly { readonly name: string; readonly args: unknown }[]
  readonly results: readonly string[]
  readonly maxTokens: number | undefined
  readonly temperature: number | undefined
  readonly stop: readonly string[]
  /** The schema that the answer has to fit. */
  readonly schema: unknown
  readonly thinks: boolean
  /** Something only its maker can read came back with the history. */
  readonly carried: boolean
}
