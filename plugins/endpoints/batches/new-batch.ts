import { workspaceOf } from '#calls/kept-call'
import { callerKeys } from '#calls/slots'
import { type Call, FileNotFound, InvalidRequest, isRecord } from '#kit'
import type { NewBatch } from '#kit/own-batches'
import type { OwnFiles } from '#kit/own-files'
import { gatewayHeaders, principal } from '#kit/slots'

type Fields = Readonly<Record<string, unknown>>

/** Kinds of call that Weir runs as lines (contract, section 2.2, and what OpenAI has added since). */
const ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/responses',
  '/v1/moderations',
] as const
const WINDOWS = ['immediate', '24h'] as const

/** Seconds that its files may be kept at least and at most, where it says. */
const LEAST_SECONDS = 3_600
const MOST_SECONDS = 2_592_000

/** Entries of its metadata, and characters of their names and values ("Create batch" of OpenAI's reference, read 2026-11-22). */
const MAX_ENTRIES = 16
const MAX_NAME = 64
const MAX_VALUE = 512

/**
 * What Weir shall run.
 * @throws InvalidRequest naming the field; FileNotFound for an input that the workspace does not have
 */
export const readNewBatch = async (call: Call, files: OwnFiles): Promise<NewBatch> => {
  const { endpoint, params } = call
  if (endpoint.body.kind === 'json') endpoint.body.check(params)
  const caller = call.get(principal)
  if (caller.isForeign === true) {
    throw new InvalidRequest('A batch outlives a token: ask for it with an API key of Weir.', {
      param: 'authorization',
    })
  }
  const inputFileId = String(params.input_file_id)
  const file = await files.find(workspaceOf(call), inputFileId)
  if (file === undefined) {
    throw new FileNotFound('The input is no file of this workspace: upload it to Weir, without naming a provider.', {
      param: 'input_file_id',
    })
  }
  if (file.purpose !== 'batch') {
    throw new InvalidRequest(`The input file is for \`${file.purpose}\`: upload one with the purpose \`batch\`.`, {
      param: 'input_file_id',
    })
  }
  const options = optionsOf(params.gateway_options)
  const model = modelOf(params, [options['x-gateway-provider-model'], call.get(gatewayHeaders).get('provider-model')])
  return {
    caller: { principal: caller },
    inputFileId,
    endpoint: oneOf(params.endpoint, 'endpoint', ENDPOINTS),
    completionWindow: oneOf(params.completion_window, 'completion_window', WINDOWS),
    metadata: metadataOf(params.metadata),
    headers: { ...headersOf(call), ...options },
    ...(model === undefined ? {} : { defaults: { model } }),
    outputExpiresAfterSeconds: secondsOf(params.output_expires_after),
  }
}

const oneOf = <Word extends string>(value: unknown, param: string, words: readonly Word[]): Word => {
  const found = words.find((word) => word === value)
  if (found !== undefined) return found
  throw new InvalidRequest(`\`${param}\` must be one of: ${words.join(', ')}.`, { param })
}

/** The model of lines that name none, wherever one of the shapes says it. */
const modelOf = ({ model, provider_options: more }: Fields, named: readonly (string | undefined)[]) =>
  [model, isRecord(more) ? more.model : undefined, ...named].find(
    (each): each is string => typeof each === 'string' && each !== '',
  )

/** Those of one call alone, and the key that the lines get anew. */
const NOT_KEPT: ReadonlySet<string> = new Set(['api-key', 'trace-id', 'span-id', 'parent-span-id', 'request-id'])
const CREDENTIALS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key']

/** What the lines are asked with as the call was: its gateway headers, and the provider's key where it brought one. */
const headersOf = (call: Call): Readonly<Record<string, string>> => {
  const named = call.get(gatewayHeaders)
  const keys = call.get(callerKeys)
  const kept: Record<string, string> = {}
  for (const [name, value] of call.request.headers) {
    const isOwn = named.owns(name) && ![...NOT_KEPT].some((each) => name.endsWith(`-${each}`))
    if ((isOwn || CREDENTIALS.includes(name)) && !keys.isGatewayKey(value)) kept[name] = value
  }
  const metadata = named.get('metadata')
  if (metadata !== undefined) checkMetadata(metadata, 'x-gateway-metadata')
  return kept
}

/** `gateway_options`: gateway headers, with their prefix or without. */
const optionsOf = (value: unknown): Readonly<Record<string, string>> => {
  const options: Record<string, string> = {}
  if (!isRecord(value)) return options
  for (const [key, said] of Object.entries(value)) {
    if (said === undefined || said === null) continue
    const param = `gateway_options.${key}`
    const name = key.toLowerCase().replaceAll('_', '-')
    const text = typeof said === 'string' ? said : JSON.stringify(said)
    if (!/^[a-z0-9-]{1,64}$/.test(name)) throw new InvalidRequest(`\`${param}\` is no name of a header.`, { param })
    // What a header can hold: no line may end in it.
    if (!/^[\t\x20-\x7e\x80-\xff]{0,16384}$/.test(text)) {
      throw new InvalidRequest(`\`${param}\` must be a text that fits into a header.`, { param })
    }
    const header = name.startsWith('x-gateway-') ? name : `x-gateway-${name}`
    if (header === 'x-gateway-api-key') throw new InvalidRequest(`\`${param}\` cannot be chosen.`, { param })
    if (header === 'x-gateway-metadata') checkMetadata(text, param)
    options[header] = text
  }
  return options
}

const checkMetadata = (text: string, param: string): void => {
  try {
    if (isRecord(JSON.parse(text))) return
  } catch {
    // Told below.
  }
  throw new InvalidRequest(`\`${param}\` must be a JSON object.`, { param })
}

const metadataOf = (value: unknown): NewBatch['metadata'] => {
  if (value === undefined || value === null) return null
  const entries = Object.entries(value as Fields)
  if (entries.length > MAX_ENTRIES) {
    throw new InvalidRequest(`\`metadata\` must have at most ${MAX_ENTRIES} entries.`, { param: 'metadata' })
  }
  const metadata: Record<string, string> = {}
  for (const [name, text] of entries) {
    if (typeof text !== 'string' || name.length > MAX_NAME || text.length > MAX_VALUE) {
      throw new InvalidRequest(
        `\`metadata\` must have texts of at most ${MAX_VALUE} characters, under names of at most ${MAX_NAME}.`,
        { param: 'metadata' },
      )
    }
    metadata[name] = text
  }
  return metadata
}

const secondsOf = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined
  const { anchor, seconds } = isRecord(value) ? value : {}
  const isSound =
    anchor === 'created_at' &&
    typeof seconds === 'number' &&
    Number.isInteger(seconds) &&
    seconds >= LEAST_SECONDS &&
    seconds <= MOST_SECONDS
  if (isSound) return seconds
  throw new InvalidRequest(
    `\`output_expires_after\` must be \`{anchor: "created_at", seconds}\`, with ${LEAST_SECONDS} to ${MOST_SECONDS} seconds.`,
    { param: 'output_expires_after' },
  )
}
