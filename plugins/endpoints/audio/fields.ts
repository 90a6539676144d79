import { maybe, t } from '#kit'
import { Model } from '../fields.ts'

/**
 * Parameters of transcripts. Only their types are checked. Source: types of openai-node 7.55.0 (resources/audio), generated from
 * the API reference, read 2026-11-22.
 */
export const soundFields = {
  model: Model,
  prompt: maybe(t.String()),
  response_format: maybe(
    t.Union(
      ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'].map((format) => t.Literal(format)),
      { description: 'Text formats are answered as text.' },
    ),
  ),
  temperature: maybe(t.Number()),
}

/** What a sound that is sent may be: films hold one too. */
export const SOUNDS: readonly string[] = ['audio/', 'video/', 'application/ogg', 'application/mp4']

export const Transcript = t.Object({ text: t.String() })
