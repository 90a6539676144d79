import type { RouteSample } from '../../../support/route-samples.ts'

/** Header values and body of a call that chooses a host. */
export interface Choosing {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One way in which a call can choose the host that it goes to. */
export interface HostWay {
  readonly name: string
  /** Undefined where the host cannot be written in this way. */
  choose(host: string): Choosing | undefined
}

/** JSON in ASCII, as a header needs it. */
export const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** What a header can carry, and would not be changed by. */
export const fitsHeader = (text: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)

/** In headers, on any route. */
const headerWays = (provider: string): readonly HostWay[] => {
  const named = { 'x-gateway-provider': provider }
  const config = (value: unknown): Choosing => ({ headers: { 'x-gateway-config': ascii(value) } })
  return [
    {
      name: 'the header of a host',
      choose: (host) => (fitsHeader(host) ? { headers: { ...named, 'x-gateway-custom-host': host } } : undefined),
    },
    { name: 'a config in the header', choose: (host) => config({ provider, custom_host: host }) },
    {
      name: 'a target of a config in the header',
      choose: (host) => config({ strategy: { mode: 'fallback' }, targets: [{ provider, customHost: host }] }),
    },
  ]
}

/** In the config of a body, on an old route. */
const bodyWays = (provider: string, params: unknown): readonly HostWay[] => {
  const body = (config: unknown): Choosing => ({ headers: {}, body: JSON.stringify({ config, params }) })
  return [
    { name: 'a config in the body', choose: (host) => body({ provider, custom_host: host }) },
    {
      name: 'a target of a config in the body',
      choose: (host) => body({ strategy: { mode: 'single' }, targets: [{ provider, custom_host: host }] }),
    },
    {
      name: 'an option of version 1.0',
      choose: (host) => body({ mode: 'single', options: [{ provider, custom_host: host, retry: 1 }] }),
    },
    {
      name: 'one of two options of version 1.0',
      choose: (host) =>
        body({
          mode: 'fallback',
          options: [
            { provider, customHost: host },
            { provider, custom_host: host },
          ],
        }),
    },
    { name: 'the short form of version 1.0', choose: (host) => body({ mode: 'single', provider, custom_host: host }) },
  ]
}

/** Every way in which a call of this sample can choose a host for this provider. */
export const hostWaysOf = (sample: RouteSample, provider: string): readonly HostWay[] => {
  const params = paramsOf(sample)
  return [...headerWays(provider), ...(params === undefined ? [] : bodyWays(provider, params))]
}

/** Settings of a provider that are a part of its host, on any route. */
export const settingWaysOf = (
  sample: RouteSample,
  provider: string,
  setting: { readonly name: string; readonly header: string },
): readonly HostWay[] => {
  const params = paramsOf(sample)
  const settings = (value: string): Readonly<Record<string, string>> => ({ provider, [setting.name]: value })
  return [
    {
      name: `the header of ${setting.name}`,
      choose: (value) =>
        fitsHeader(value) ? { headers: { 'x-gateway-provider': provider, [setting.header]: value } } : undefined,
    },
    {
      name: `${setting.name} in a config`,
      choose: (value) => ({ headers: { 'x-gateway-config': ascii(settings(value)) } }),
    },
    ...(params === undefined
      ? []
      : [
          {
            name: `${setting.name} in an option of version 1.0`,
            choose: (value: string): Choosing => ({
              headers: {},
              body: JSON.stringify({ config: { mode: 'single', options: [settings(value)] }, params }),
            }),
          },
        ]),
  ]
}

/** `params` of the body of an old route. */
const paramsOf = ({ body = '' }: RouteSample): unknown =>
  typeof body === 'string' && body.startsWith('{')
    ? (JSON.parse(body) as { readonly params?: unknown }).params
    : undefined
