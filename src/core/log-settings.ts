/**
 * What is kept of the messages of calls: nothing, those of calls that failed, or all. Where several have a say (operator,
 * organisation, workspace, key, call), see `BodyRules`.
 */
export const BODY_POLICIES = ['none', 'failed', 'all'] as const
export type BodyPolicy = (typeof BODY_POLICIES)[number]

/** Whom bodies are shown to: whoever may see logs of the workspace, or none but the key whose call it was. */
export const BODY_READERS = ['workspace', 'caller'] as const
export type BodyReaders = (typeof BODY_READERS)[number]

/** What a key says about records of its calls. Absent: what stands above it counts. */
export interface KeyLogSettings {
  readonly bodies?: BodyPolicy
}

/** What an organisation or workspace says about records of its calls. Absent: what stands above it counts. */
export interface LogSettings extends KeyLogSettings {
  /** Days that records are kept. */
  readonly retentionDays?: number
  /** Days that their bodies are. */
  readonly bodyRetentionDays?: number
  /** Patterns of JavaScript's syntax: what fits one is taken out of bodies before they are kept. */
  readonly redact?: readonly string[]
  /** Metadata keys whose sums are kept ready, so that analytics by them are quick. */
  readonly metadataKeys?: readonly string[]
  readonly bodyReaders?: BodyReaders
}

/** Takes out of texts what a workspace does not want to be kept. */
export interface Redaction {
  /** Longer texts are cut before: the more patterns, the shorter, so that a search takes some milliseconds. Characters. */
  readonly maxCharacters: number
  redact(text: string): string
}

/** What is kept of the messages of a workspace. */
export interface BodyRules {
  /** Of operator, organisation and workspace: `none` of any of them, else the word of the nearest. */
  readonly bodies: BodyPolicy
  /** Absent: nothing is taken out but secrets. */
  readonly redaction?: Redaction | undefined
}

/** The rules of every workspace, in memory: a call never waits for them. */
export interface BodyRulesDirectory {
  of(organisationId: string, workspaceId: string): BodyRules
}

/** No body of anybody is kept. */
export const KEEP_NO_BODIES: BodyRulesDirectory = { of: () => NO_BODIES }
const NO_BODIES: BodyRules = { bodies: 'none' }
