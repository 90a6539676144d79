/** Text formats that are made of a transcript with times. */
const MADE: ReadonlySet<unknown> = new Set(['text', 'srt', 'vtt'])

/**
 * The rule of `response_format` for a host that has some formats of transcripts only: where it has no text format it is asked for
 * `verbose_json`, of which the gateway makes one. A format that nobody can make is dropped and named.
 */
export const transcriptFormats =
  (known: readonly string[]) =>
  (format: unknown): Readonly<Record<string, unknown>> | undefined => {
    if (typeof format === 'string' && known.includes(format)) return { response_format: format }
    return MADE.has(format) ? { response_format: 'verbose_json' } : undefined
  }
