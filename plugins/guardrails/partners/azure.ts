import { type CheckCredentials, type CheckPowers, t } from '#kit'
import { askPartner, baseOf, type Fields } from './partner.ts'

const RESOURCE_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/

/** A resource of Azure AI services, of Content Safety or of Language. */
export const azureAccount = {
  id: 'azure',
  settings: {
    azure_resource_name: t.String({
      pattern: RESOURCE_NAME.source,
      description: 'Name of the resource, unless `custom_host` says where it is.',
    }),
  },
  hostSettings: ['azure_resource_name'],
}

/** Parameter of a dated API: it stands in an address. */
export const apiVersion = (version: string) =>
  t.String({ pattern: '^[A-Za-z0-9.-]{1,30}$', default: version, description: 'Version of the API.' })

/** Asks a resource, with its key. @param path below its host, with a query */
export const askAzure = (
  powers: CheckPowers,
  account: CheckCredentials,
  partner: string,
  path: string,
  body: Fields,
): Promise<Fields> => {
  const headers = { ...account.headers, 'ocp-apim-subscription-key': account.apiKey }
  return askPartner(powers, { partner, url: `${hostOf(account)}${path}`, headers, body })
}

const hostOf = (account: CheckCredentials): string => {
  const { azure_resource_name: name = '' } = account.settings
  if (account.customHost !== undefined) return baseOf(account, account.customHost)
  if (RESOURCE_NAME.test(name)) return `https://${name}.cognitiveservices.azure.com`
  throw new Error('The account with Azure says no resource: set azure_resource_name or custom_host of its integration.')
}
