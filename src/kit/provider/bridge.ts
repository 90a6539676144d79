import type { Usage } from '../../core/usage.ts'
import type { AdapterContext } from './provider.ts'

type Fields = Readonly<Record<string, unknown>>

/** One event of a provider's stream in, any text in the client's form out: events, each with an empty line behind it. */
export interface BridgeStream {
  push(chunk: Fields): string
  /** The stream came to its proper end. Gives what is still owed. */
  end(): string
}

/** Where the client wrote what a request in the other form says. */
export interface BridgeWords {
  /** Its list of turns and the list of parts within one, and the list that they became in the other form. */
  readonly turns?: { readonly list: string; readonly parts: string; readonly became: string }
  /** Its names of parameters that have another one in the other form. */
  readonly names?: Readonly<Record<string, string>>
}

/**
 * Translates between a form that clients speak and one that providers are asked in, both ways. Chosen for each target: one
 * that speaks the client's form itself is asked in it.
 */
export interface Bridge {
  /** Form of an endpoint. */
  readonly from: string
  /** Form of an adapter. */
  readonly to: string
  /**
   * What the provider is asked, and the parameters that were lost, in the order of the request.
   * @throws InvalidRequest naming the field that cannot be asked there
   */
  request(params: Fields, context: AdapterContext): { readonly request: Fields; readonly dropped: readonly string[] }
  /** How a field that the provider's adapter refuses is named to the client. Absent: those have the same name in both forms. */
  readonly words?: BridgeWords
  /** What it needs of the answer, whatever the client asked for: all that the provider says, and the usage of a stream. */
  readonly asks?: { readonly strict?: false; readonly includeUsage?: true }
  /** Usage that an answer in the other form reports. Absent: as OpenAI's answers do. */
  usageOf?(answer: Fields): Usage | undefined
  /**
   * A whole answer.
   * @param params what the client asked for, which answers of some forms repeat
   * @throws UpstreamInvalid for one that is none
   */
  reply(answer: Fields, context: AdapterContext, params: Fields): Fields
  stream(context: AdapterContext, params: Fields): BridgeStream
}

/** The bridges of all running plugins. Complete once every plugin is set up, so look up at call time, not in `setup`. */
export interface BridgeDirectory {
  /** In the order of the plugins. */
  from(form: string): readonly Bridge[]
}
