/**
 * Voices that every account has. Source: "Default voices" of github.com/elevenlabs/elevenlabs-docs
 * (product-guides/voices/default-voices.mdx), read 2026-11-22.
 */
const DEFAULT_VOICES: Readonly<Record<string, string>> = {
  alice: 'Xb7hH8MSUJpSbSDYk0k2',
  aria: '9BWtsMINqrJLrRacOk9x',
  bill: 'pqHfZKP75CvOlQylNhV4',
  brian: 'nPczCjzI2devNBz1zQrb',
  callum: 'N2lVS1w4EtoT3dr4eOWO',
  charlie: 'IKne3meq5aSn9XLyUdCD',
  charlotte: 'XB0fDUnXU5powFXDhCwa',
  chris: 'iP95p4xoKVk53GoZ742B',
  daniel: 'onwK4e9ZLuTAKqWW03F9',
  eric: 'cjVigY5qzO86Huf0OWal',
  george: 'JBFqnCBsd6RMkjVDRZzb',
  jessica: 'cgSgspJ2msm6clMCkdW9',
  laura: 'FGY2WhTYpPnrIDTdsKH5',
  liam: 'TX3LPaxmHKxFdv7VOQHJ',
  lily: 'pFZP5JQG7iQjIQuC4Bku',
  matilda: 'XrExE9yKIg1WjnnlVkGX',
  river: 'SAz9YHcvj6GT2YYXdXww',
  roger: 'CwhRBWXzGAHq8TQ4Fs17',
  sarah: 'EXAVITQu4vr4xnSDxMaL',
  will: 'bIHbv24MWmeRgasZH58o',
}

/** Which of them stands for a voice of OpenAI: our choice, as nobody says that two of them sound alike. */
const FOR_OPENAI: Readonly<Record<string, string>> = {
  alloy: 'river',
  ash: 'chris',
  ballad: 'callum',
  cedar: 'brian',
  coral: 'laura',
  echo: 'eric',
  fable: 'george',
  marin: 'jessica',
  nova: 'sarah',
  onyx: 'daniel',
  sage: 'matilda',
  shimmer: 'alice',
  verse: 'liam',
}

/** Ids by names in lower case. @param own names of the operator, with an id each; they win */
export const voiceIds = (own: Readonly<Record<string, string>>): ReadonlyMap<string, string> => {
  const ids = new Map(Object.entries(DEFAULT_VOICES))
  for (const [name, standIn] of Object.entries(FOR_OPENAI)) ids.set(name, DEFAULT_VOICES[standIn] ?? standIn)
  for (const [name, id] of Object.entries(own)) ids.set(name.toLowerCase(), id)
  return ids
}
