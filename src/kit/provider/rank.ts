/**
 * Wire types of moderations, rerank and OCR, as far as Weir reads them. Unknown fields are kept, so each has an index signature.
 * Sources: "Moderations" of OpenAI's API reference (types of openai 7.55.0), and OCR of mistralai 3.7.0 of PyPI (ocrrequest.py,
 * ocrresponse.py), both generated from the references, read 2026-11-22. Rerank is of the gateway's own interface.
 */

export interface ModerationsRequest {
  /** A text, several that are judged each by itself, or the parts of one input. */
  readonly input: string | readonly string[] | readonly ModerationPart[]
  /** Left out: the provider's own. */
  readonly model?: string | null
  readonly [extra: string]: unknown
}

/** `text` with `text`, or `image_url` with `{url}`. */
export interface ModerationPart {
  readonly type: string
  readonly text?: string
  readonly image_url?: { readonly url: string }
  readonly [extra: string]: unknown
}

export interface Moderation {
  readonly flagged: boolean
  readonly categories: Readonly<Record<string, boolean | null>>
  /** 0 to 1. */
  readonly category_scores: Readonly<Record<string, number>>
  readonly category_applied_input_types?: Readonly<Record<string, readonly string[]>>
  readonly [extra: string]: unknown
}

export interface ModerationsReply {
  readonly id: string
  readonly model: string
  /** One for each text, in their order. */
  readonly results: readonly Moderation[]
  readonly [extra: string]: unknown
}

/** What is compared with the query: a text, or an object with one. */
export type RerankDocument = string | { readonly text: string; readonly [field: string]: unknown }

export interface RerankRequest {
  readonly model: string
  readonly query: string
  readonly documents: readonly RerankDocument[]
  /** Most results. Left out: all of them. */
  readonly top_n?: number | null
  readonly return_documents?: boolean | null
  readonly max_tokens_per_doc?: number | null
  /** The lower, the earlier a call is handled. */
  readonly priority?: number | null
  /** Fields of the documents that are compared. Left out: `text`. */
  readonly rank_fields?: readonly string[] | null
  /** Whether what is too long is cut, or an error. */
  readonly truncation?: boolean | null
  /** What only the provider knows, in its own words. */
  readonly parameters?: Readonly<Record<string, unknown>> | null
  readonly [extra: string]: unknown
}

export interface RerankResult {
  /** Place of the document in the request, from 0. */
  readonly index: number
  readonly relevance_score: number
  /** Where `return_documents` asks for it. */
  readonly document?: { readonly text: string; readonly [field: string]: unknown }
}

export interface RerankReply {
  readonly id: string
  readonly object: 'list'
  /** Best first. */
  readonly results: readonly RerankResult[]
  readonly model: string
  /** What the provider bills by: searches, tokens or both. */
  readonly usage?: {
    readonly search_units?: number
    readonly prompt_tokens?: number
    readonly total_tokens?: number
  }
  /** Id of the provider. */
  readonly provider?: string
  readonly [extra: string]: unknown
}

export interface OcrRequest {
  readonly model: string
  readonly document: OcrDocument
  /** From 0; a text such as `0,2-4` where the provider takes one. */
  readonly pages?: readonly number[] | string | null
  readonly include_image_base64?: boolean | null
  readonly image_limit?: number | null
  /** Pixels, of width and height. */
  readonly image_min_size?: number | null
  readonly [extra: string]: unknown
}

/** URLs are `https:` or `data:`. */
export interface OcrDocument {
  readonly type: string
  readonly document_url?: string
  readonly image_url?: string | { readonly url: string }
  readonly [extra: string]: unknown
}

export interface OcrPage {
  /** From 0. */
  readonly index: number
  readonly markdown: string
  readonly images: readonly { readonly id: string; readonly image_base64?: string | null }[]
  readonly [extra: string]: unknown
}

export interface OcrReply {
  readonly pages: readonly OcrPage[]
  readonly model: string
  readonly usage_info: { readonly pages_processed: number; readonly [extra: string]: unknown }
  readonly [extra: string]: unknown
}

/** Request and reply of the endpoints, by the name of their form. */
export interface RankTypes {
  moderations: { request: ModerationsRequest; reply: ModerationsReply; chunk: never }
  rerank: { request: RerankRequest; reply: RerankReply; chunk: never }
  ocr: { request: OcrRequest; reply: OcrReply; chunk: never }
}
