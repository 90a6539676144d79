import { bareModel } from './model.ts'

/**
 * Voices of Google's that stand in for those of OpenAI's names, chosen by us: Google publishes no such list. The names are of the page
 * "Speech generation" of ai.google.dev, as public copies list them, read 2026-11-22.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  alloy: 'Kore',
  ash: 'Charon',
  ballad: 'Fenrir',
  cedar: 'Iapetus',
  coral: 'Aoede',
  echo: 'Puck',
  fable: 'Zephyr',
  marin: 'Sulafat',
  nova: 'Leda',
  onyx: 'Orus',
  sage: 'Callirrhoe',
  shimmer: 'Autonoe',
  verse: 'Umbriel',
}

/** The name of a voice; one that is none of OpenAI's passes. */
export const voiceName = (voice: string): string =>
  Object.hasOwn(STAND_INS, voice) ? (STAND_INS[voice] ?? voice) : voice

/**
 * From Gemini 3.8 on, how a text is said stands beside it (`speechMetadata`, @google/genai 2.32.0; page "Generate speech with Gemini TTS"
 * of docs.cloud.google.com, read 2026-11-22); before, it is part of the text, which would be another text.
 */
export const takesStyle = (model: string): boolean => {
  const [, major = '0', minor = '0'] = /^gemini-(\d+)(?:\.(\d+))?-/.exec(bareModel(model)) ?? []
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 8)
}
