import { InvalidHeader } from '#kit'
import type { AdapterContext } from '#kit/provider'
import { LOGIN_SETTINGS } from '../azure-openai/login-settings.ts'

type Settings = Readonly<Record<string, string>>

/** Config name to header suffix (see `settings` of Provider). */
export const SETTINGS = {
  azure_foundry_url: 'azure-foundry-url',
  api_version: 'azure-api-version',
  azure_deployment_name: 'azure-deployment-name',
  azure_endpoint_name: 'azure-endpoint-name',
  azure_deployment_type: 'azure-deployment-type',
  azure_region: 'azure-region',
  azure_extra_params: 'azure-extra-params',
  ...LOGIN_SETTINGS,
} as const

/** Part of a host name, so that it can never become another host. */
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Deployments with a host of their own, and what stands behind the region in its name. */
const HOSTS: ReadonlyMap<string, string> = new Map([
  ['serverless', 'models.ai.azure.com'],
  ['managed', 'inference.ml.azure.com'],
])

/** Default of azure-ai-inference. */
const DEFAULT_VERSION = '2024-05-01-preview'

/** Hosts of resources: all of them are Azure's own, so that a token of the machine may go there. */
const RESOURCE_HOST = /\.(?:services\.ai|cognitiveservices|openai)\.azure\.(?:com|us|cn)$/

/** Hosts that take a key as a bearer token. */
const BEARER_HOST = /\.(?:models\.ai|inference\.ml)\.azure\.com$/

export interface Place {
  /** Up to but without `/chat/completions`. */
  readonly base: string
  /** Of the host alone. */
  readonly origin: string
  readonly isResource: boolean
}

/** Where a key goes as a bearer token rather than into a header of its own. */
export const takesBearer = (url: string): boolean => BEARER_HOST.test(new URL(url).hostname)

/**
 * Reads an address once.
 * @param check of a host that a call names
 */
export const createPlaces = (check: (url: string) => string): ((settings: Settings) => Place) => {
  const known = new Map<string, Place>()
  return (settings) => {
    const url = urlOf(settings)
    const place = known.get(url)
    if (place !== undefined) return place
    const made = readPlace(check(url))
    if (known.size >= MAX_PLACES) known.clear()
    known.set(url, made)
    return made
  }
}

const MAX_PLACES = 500

/** The place of a URL: a resource without a path has its models below `/models`. */
export const readPlace = (url: string): Place => {
  const { origin, hostname, pathname } = new URL(url)
  const path = pathname.replace(/\/+$/, '')
  const isResource = RESOURCE_HOST.test(hostname)
  return {
    base: path === '' && isResource ? `${origin}/models` : `${origin}${path}`,
    origin,
    isResource,
  }
}

/** @throws InvalidHeader for a call that does not say where its models are */
const urlOf = (settings: Settings): string => {
  const { azure_foundry_url: url = '', azure_endpoint_name: name = '', azure_region: region = '' } = settings
  if (url !== '') {
    if (URL.canParse(url) && /^https?:/.test(url) && !/[?#]/.test(url)) return url
    throw refused('azure_foundry_url', 'The address is no URL without a query.')
  }
  if (name === '') {
    throw refused(
      'azure_foundry_url',
      'Azure AI needs an address: send `x-gateway-azure-foundry-url`, or set `azure_foundry_url` in the config.',
    )
  }
  if (!LABEL.test(name)) throw refused('azure_endpoint_name', 'The endpoint is no part of a host name.')
  if (!LABEL.test(region)) throw refused('azure_region', 'An endpoint that is given by its name needs a region.')
  const host = HOSTS.get(settings.azure_deployment_type || 'serverless')
  if (host === undefined) throw refused('azure_deployment_type', 'The type must be `serverless` or `managed`.')
  return `https://${name.toLowerCase()}.${region.toLowerCase()}.${host}`
}

/** The API of OpenAI's own form, which has no dated versions. */
const UNDATED = /\/openai\/v1\/*$/

/**
 * The query of a path.
 * @param address below which it is, where that is known
 * @throws InvalidHeader when the version cannot be one
 */
export const versionQuery = ({ settings }: AdapterContext, address = ''): string => {
  const version = settings.api_version ?? ''
  if (version === '') return UNDATED.test(address) ? '' : `?api-version=${DEFAULT_VERSION}`
  if (/^[A-Za-z0-9.-]{1,30}$/.test(version)) return `?api-version=${encodeURIComponent(version)}`
  throw refused('api_version', 'The Azure API version must be a date such as 2024-05-01-preview.')
}

export const refused = (setting: keyof typeof SETTINGS, message: string): InvalidHeader =>
  new InvalidHeader(message, { param: setting })
