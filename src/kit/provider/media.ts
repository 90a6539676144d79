/**
 * Images, speech and transcripts in the reference form. Source: types of openai-node 7.55.0 (resources/images.d.ts,
 * resources/audio/*.d.ts), generated from the API reference, read 2026-11-22. Answers hold fields besides those named here.
 */
import type { FormFile } from '../../core/forms/form-file.ts'

/** An image that was made. */
export interface MadeImage {
  readonly b64_json?: string
  readonly url?: string
  readonly revised_prompt?: string
}

/** Tokens of images and transcripts; a transcript may be paid by its seconds instead (`type: duration`). */
export interface MediaUsage {
  readonly type?: 'tokens' | 'duration'
  readonly input_tokens?: number
  readonly output_tokens?: number
  readonly total_tokens?: number
  /** `text_tokens`, `image_tokens`. */
  readonly input_tokens_details?: Readonly<Record<string, number>>
  readonly output_tokens_details?: Readonly<Record<string, number>>
  readonly seconds?: number
}

export interface ImagesReply {
  /** Seconds since 1970. */
  readonly created: number
  readonly data: readonly MadeImage[]
  readonly background?: string
  readonly output_format?: string
  readonly quality?: string
  readonly size?: string
  readonly usage?: MediaUsage
}

/** An event of a stream of images: a partial image, or one that is finished. */
export interface ImageEvent {
  /** `image_generation.partial_image`, `image_generation.completed`, or `image_edit.` with either. */
  readonly type: string
  readonly b64_json: string
  readonly partial_image_index?: number
  readonly usage?: MediaUsage
  readonly [more: string]: unknown
}

interface ImageRequest {
  readonly model?: string | null
  readonly n?: number | null
  readonly size?: string | null
  readonly response_format?: string | null
  readonly user?: string | null
  readonly [more: string]: unknown
}

export interface ImagesRequest extends ImageRequest {
  readonly prompt: string
  readonly quality?: string | null
  readonly style?: string | null
  readonly background?: string | null
  readonly moderation?: string | null
  readonly output_format?: string | null
  readonly output_compression?: number | null
  readonly partial_images?: number | null
  readonly stream?: boolean | null
}

export interface ImageEditsRequest extends ImageRequest {
  readonly image: FormFile | readonly FormFile[]
  readonly mask?: FormFile | null
  readonly prompt: string
  readonly quality?: string | null
  readonly background?: string | null
  readonly input_fidelity?: string | null
  readonly output_format?: string | null
  readonly output_compression?: number | null
  readonly partial_images?: number | null
  readonly stream?: boolean | null
}

export interface ImageVariationsRequest extends ImageRequest {
  readonly image: FormFile
}

export interface SpeechRequest {
  readonly model: string
  readonly input: string
  readonly voice: string | { readonly id: string }
  readonly instructions?: string | null
  readonly response_format?: string | null
  readonly speed?: number | null
  readonly stream_format?: string | null
  readonly [more: string]: unknown
}

/** Sound that was made of an answer which is no sound itself. */
export interface SpeechReply {
  /** Content type: `audio/wav`. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** `speech.audio.delta` with a piece of the sound in Base64, or `speech.audio.done`. */
export interface SpeechEvent {
  readonly type: string
  readonly audio?: string
  readonly usage?: MediaUsage
}

interface SoundRequest {
  readonly file: FormFile
  readonly model: string
  readonly prompt?: string | null
  readonly response_format?: string | null
  readonly temperature?: number | null
  readonly [more: string]: unknown
}

export interface TranscriptionRequest extends SoundRequest {
  readonly language?: string | null
  readonly include?: readonly string[] | null
  readonly timestamp_granularities?: readonly string[] | null
  readonly stream?: boolean | null
  readonly chunking_strategy?: string | Readonly<Record<string, unknown>> | null
}

export type TranslationRequest = SoundRequest

export interface TranscriptSegment {
  readonly id: number | string
  /** Seconds. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly [more: string]: unknown
}

export interface TranscriptWord {
  readonly word: string
  /** Seconds. */
  readonly start: number
  readonly end: number
}

/**
 * A transcript. An adapter of a provider with another form gives all that it knows: what the client asked for (`json`, `text`,
 * `srt`, `vtt`, `verbose_json`) is made of it.
 */
export interface TranscriptReply {
  readonly text: string
  readonly language?: string
  /** Seconds. */
  readonly duration?: number
  readonly segments?: readonly TranscriptSegment[]
  readonly words?: readonly TranscriptWord[]
  readonly usage?: MediaUsage
  readonly [more: string]: unknown
}

/** `transcript.text.delta`, `transcript.text.segment` or `transcript.text.done`. */
export interface TranscriptEvent {
  readonly type: string
  readonly delta?: string
  readonly text?: string
  readonly usage?: MediaUsage
  readonly [more: string]: unknown
}

/** Requests, replies and events of the forms of images and sound. */
export interface MediaTypes {
  images: { request: ImagesRequest; reply: ImagesReply; chunk: ImageEvent }
  'image-edits': { request: ImageEditsRequest; reply: ImagesReply; chunk: ImageEvent }
  'image-variations': { request: ImageVariationsRequest; reply: ImagesReply; chunk: never }
  speech: { request: SpeechRequest; reply: SpeechReply; chunk: SpeechEvent }
  transcriptions: { request: TranscriptionRequest; reply: TranscriptReply; chunk: TranscriptEvent }
  translations: { request: TranslationRequest; reply: TranscriptReply; chunk: TranscriptEvent }
}
