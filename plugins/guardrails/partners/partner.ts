import { type Check, type CheckCredentials, type CheckPowers, isRecord, t } from '#kit'

export type Fields = Readonly<Record<string, unknown>>

/** Longest time that a check of a partner may be given, in milliseconds. */
const MAX_TIMEOUT_MS = 60_000

/** Parameters that every check of a partner has. @param timeoutMs default of `timeout` */
export const partnerParameters = (timeoutMs = 5000) => ({
  credentials: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 255,
      description: 'Slug of the stored provider that is the account. Needed where the workspace has several.',
    }),
  ),
  timeout: t.Integer({
    minimum: 1,
    maximum: MAX_TIMEOUT_MS,
    default: timeoutMs,
    description: 'Milliseconds that the partner may take.',
  }),
})

/** The parameter of checks that can mask what they find. */
export const redactParameter = {
  redact: t.Boolean({ default: false, description: 'What is found is masked, and the text passes.' }),
}

/** Where an account is asked: its own host, or that of all. */
export const baseOf = ({ customHost }: Pick<CheckCredentials, 'customHost'>, usual: string): string =>
  (customHost ?? usual).replace(/\/+$/, '')

export interface PartnerRequest {
  /** Name of the partner, for errors. */
  readonly partner: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A string is sent as it is: it has been signed. */
  readonly body: Fields | string
}

/**
 * Asks a partner. Its own words stay out of errors: they may repeat the text.
 * @throws Error for anything but a 2xx with a JSON object
 */
export const askPartner = async (
  powers: CheckPowers,
  { partner, url, headers, body }: PartnerRequest,
): Promise<Fields> => {
  const response = await powers.fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { status } = response
  if (status < 200 || status > 299) throw new Error(`${partner} answered ${status}${HINTS.get(status) ?? ''}.`)
  return readAnswer(partner, response)
}

const HINTS: ReadonlyMap<number, string> = new Map([
  [401, ': check the key that is stored for it'],
  [403, ': check the key that is stored for it, and what it may do'],
  [404, ': check the ids among the parameters, and the host'],
  [413, ': the text is too long for it'],
  [429, ': too many requests'],
])

const readAnswer = (partner: string, response: { json(): unknown }): Fields => {
  let answer: unknown
  try {
    answer = response.json()
  } catch (cause) {
    throw new Error(`${partner} answered with something that is no JSON.`, { cause })
  }
  if (isRecord(answer)) return answer
  throw unreadable(partner, 'no object')
}

/** The answer is not what the partner's documentation says. */
export const unreadable = (partner: string, problem: string): Error =>
  new Error(`${partner} answered in a form that is not known: ${problem}.`)

/** The objects of a list; none where it is no list. */
export const records = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** The fields of an object that are there. */
export const pick = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))

/** Texts that say something, as one. */
export const joined = (texts: readonly string[]): string => texts.filter((text) => text.trim() !== '').join('\n')

/** A check that asks its partner nothing about texts that say nothing. */
export const whereSaid = (check: Check): Check => ({
  ...check,
  prepare(parameters) {
    const prepared = check.prepare(parameters)
    return {
      ...prepared,
      run: (input, powers) =>
        input.texts.every((text) => text.trim() === '') ? { verdict: true } : prepared.run(input, powers),
    }
  },
})
