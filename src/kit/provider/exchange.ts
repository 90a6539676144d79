import type { ReadyStream } from '../../core/bodies/ready-stream.ts'
import type { FormFile } from '../../core/forms/form-file.ts'
import type { HeaderFields } from '../../core/header-fields.ts'
import type { BodyStream } from '../../core/ports.ts'
import type { Usage } from '../../core/usage.ts'
import type { OwnFileContent } from '../own-files.ts'
import type { Adapter, AdapterContext, ReplyOf, RequestOf } from './provider.ts'

type Fields = Readonly<Record<string, unknown>>

/** A request of an exchange. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * Below the base URL of the provider where it begins with `/`, else absolute: of a host that the adapter made of settings,
   * or, `withoutKey`, of one that the provider named.
   */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** An object goes as JSON. */
  readonly body?: Fields | string | Uint8Array | BodyStream | undefined
  /** The provider's credentials stay here: the address is signed. */
  readonly withoutKey?: true | undefined
  /** The service that it is for, where that is another one than the provider's own: `s3`. */
  readonly service?: string | undefined
  /** Statuses besides those of success that the adapter wants to see. Any other is the provider's error. */
  readonly sees?: readonly number[] | undefined
  /** The body of the answer is read as the client reads it: bytes may take as long as they take, and keep their coding. */
  readonly passes?: true | undefined
}

export interface ExchangeAnswer {
  readonly status: number
  readonly headers: HeaderFields
  readonly body: ReadyStream
  /** Its whole body, up to 50 MiB. @throws UpstreamInvalid for what is no JSON object */
  json(): Promise<Fields>
  /** Its whole body, up to 50 MiB. */
  text(): Promise<string>
}

/** The requests to a provider that one call is made of, one after the other: each with its credentials, and within the bounds of the call. */
export interface Exchange {
  /**
   * At most 20 times for one call.
   * @throws the provider's error, for a status that nobody wants to see; as any request to a provider
   */
  send(request: ExchangeRequest): Promise<ExchangeAnswer>
}

/** A request of another kind of call, in the words of the provider: a line of a batch. */
export interface TranslatedRequest {
  /** Below the base URL of the provider. */
  readonly path: string
  /** That of the body, without a provider in front. */
  readonly model: string
  readonly body: Fields
  /** Parameters that the provider does not have. */
  readonly dropped: readonly string[]
  /** An answer of the provider in the reference form. */
  reply(answer: Fields): { readonly reply: Fields; readonly usage?: Usage | undefined }
}

/** What an adapter knows of a call that it performs. */
export interface Performing<E extends string> {
  /** What the client asks: the fields of its body, files among them; parameters of the target are in it. */
  readonly request: RequestOf<E>
  readonly context: AdapterContext
  /** What requests are below, without a slash at its end: for a place beside it. */
  readonly baseURL: string
  /** Content of a file of the client's form, from its beginning; may be asked again. */
  contentOf(file: FormFile): BodyStream
  /** Files of Weir's own that the request names, by their ids. */
  readonly ownFiles: ReadonlyMap<string, OwnFileContent>
  /**
   * Puts the body of another kind of call into the provider's words.
   * @param endpoint id of the kind of call: `chat`
   * @returns undefined where the provider has no such thing for the model of the body
   * @throws InvalidRequest naming the field
   */
  translate(endpoint: string, body: Fields): TranslatedRequest | undefined
}

/** What came of it: an answer in the reference form, or bytes. */
export type Performed<E extends string> =
  | { readonly reply: ReplyOf<E>; readonly usage?: Usage | undefined }
  | {
      readonly body: Uint8Array | ReadyStream
      readonly type: string
      /** Besides its type. */
      readonly headers?: Readonly<Record<string, string>> | undefined
      /** Default 200. */
      readonly status?: number | undefined
    }

export type Perform<E extends string> = (asked: Performing<E>, exchange: Exchange) => Promise<Performed<E>>

/** An adapter for what one request cannot do: several of them, or a body that is translated while it passes. */
export const performing = <E extends string>(perform: Perform<E>): Adapter<E> => ({
  method: 'POST',
  path: '',
  wire: 'own',
  params: {},
  perform,
})
