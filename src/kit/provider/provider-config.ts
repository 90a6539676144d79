import { type TObject, type TProperties, Type as t } from '@sinclair/typebox'

const common = (baseURL: string) => ({
  baseURL: t.String({
    default: baseURL,
    description: 'Base URL of the provider, up to and including the version segment, without a trailing slash.',
  }),
  apiKey: t.Optional(
    t.String({
      minLength: 1,
      description:
        'Key used for calls that bring none of their own. Write it as an environment reference: ${ACME_API_KEY}.',
    }),
  ),
  models: t.Optional(
    t.Array(t.String({ minLength: 1 }), {
      description: 'Models that `GET /models` lists for this provider when a call names no provider.',
    }),
  ),
})

/**
 * The config block that every provider has: `baseURL`, `apiKey`, `models`, and what `extra` adds.
 * Its values fit the options of `openaiCompatible` and the fields of Provider.
 */
export const providerConfig = <Extra extends TProperties = Record<never, never>>(
  baseURL: string,
  extra?: Extra,
): TObject<ReturnType<typeof common> & Extra> => t.Object({ ...common(baseURL), ...(extra ?? ({} as Extra)) })
