import { InvalidHeader } from '#kit'

type Settings = Readonly<Record<string, string>>

/** Config name to header suffix (see `settings` of Provider). */
export const SETTINGS = { workers_ai_account_id: 'workers-ai-account-id' } as const

/** One segment of a path, so that an id can never become another place. */
export const ACCOUNT_ID = /^[A-Za-z0-9]{1,64}$/

/** @throws InvalidHeader when the account is missing, or cannot be one. */
const accountURL = ({ workers_ai_account_id: id }: Settings): string => {
  const param = `x-gateway-${SETTINGS.workers_ai_account_id}`
  if (id === undefined || id === '') {
    throw new InvalidHeader(`Workers AI needs an account: send ${param}, or set workers_ai_account_id in the config.`, {
      param,
    })
  }
  if (!ACCOUNT_ID.test(id))
    throw new InvalidHeader('The Workers AI account may hold only letters and digits.', { param })
  return `https://api.cloudflare.com/client/v4/accounts/${id}/ai`
}

export const baseURLOf = (settings: Settings): string => `${accountURL(settings)}/v1`

/** Where the service itself is asked, beside the part that speaks OpenAI's format. */
export const serviceURLOf = accountURL
