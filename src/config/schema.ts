import { type Static, Type as t } from '@sinclair/typebox'
import { BatchesSettings, FilesSettings } from './files.ts'
import { JwtSettings } from './jwt-settings.ts'
import { RecordsSettings } from './records.ts'
import { ResilienceSettings } from './resilience.ts'
import { SecretsSettings } from './secrets.ts'
import { type SignInInput, SignInSettings } from './sign-in.ts'

const section = { default: {}, additionalProperties: false }
const milliseconds = (defaultMs: number, description: string) =>
  t.Integer({ default: defaultMs, minimum: 0, description: `${description} Milliseconds.` })

/** One entry of `plugins`: a name or path, `{name: settings}`, or `{use, with, before, after}`. */
const PluginEntry = t.Union([
  t.String({ minLength: 1, description: 'Name of a built-in plugin, path of a file, or name of a package.' }),
  t.Object(
    {
      use: t.String({ minLength: 1, description: 'Name, path or package, as in the short form.' }),
      with: t.Optional(t.Record(t.String(), t.Unknown(), { description: 'The settings of the plugin.' })),
      before: t.Optional(t.String({ description: 'Its stages run right before the stage of this name.' })),
      after: t.Optional(t.String({ description: 'Its stages run right after the stage of this name.' })),
    },
    { additionalProperties: false },
  ),
  t.Record(t.String(), t.Union([t.Record(t.String(), t.Unknown()), t.Null()]), {
    minProperties: 1,
    maxProperties: 1,
    description: 'The short form with settings: `{ openai: { apiKey: "${OPENAI_API_KEY}" } }`.',
  }),
])

/** The whole operator file, `weir.config.{ts,yaml,json}`. Every section and key may be left out. */
export const OperatorConfig = t.Object(
  {
    $schema: t.Optional(t.String({ description: 'For editors; written by `weir schema`.' })),
    server: t.Object(
      {
        host: t.String({ default: '127.0.0.1', description: 'Address to listen on. HOST wins over it.' }),
        port: t.Integer({
          default: 8787,
          minimum: 0,
          maximum: 65535,
          description: 'Port to listen on. PORT wins over it.',
        }),
        basePath: t.String({
          default: '',
          pattern: '^(/[A-Za-z0-9._~-]+)*$',
          description: 'Prefix in front of `/v1` and `/v2`, such as `/llm`.',
        }),
        publicUrl: t.Optional(
          t.String({
            pattern: '^https?://[^?#]+$',
            maxLength: 2048,
            description:
              'Where browsers reach Weir, with the prefix in front of its paths, such as `https://llm.example`. Needed for sign-in behind a proxy, and for the links of invites.',
          }),
        ),
        trustedProxies: t.Array(t.String(), {
          default: [],
          description:
            'Addresses or CIDR blocks of the proxies in front of Weir. What they say of a client is believed: its address, and that it came by https. WEIR_TRUSTED_PROXIES adds to them.',
        }),
        forwardedHeaders: t.Union([t.Literal('x-forwarded'), t.Literal('forwarded')], {
          default: 'x-forwarded',
          description:
            'In which headers they say it: `x-forwarded-for` and `x-forwarded-proto`, or `forwarded` (RFC 7239). The other one is anybody’s word.',
        }),
        maxBodyBytes: t.Integer({
          default: 20 * 1024 * 1024,
          minimum: 1024,
          description:
            'Largest request body that is read as a whole (JSON, and forms that are no larger), in bytes. A larger one is answered with 413, unless it streams.',
        }),
        maxUploadBytes: t.Integer({
          default: 5 * 1024 ** 3,
          minimum: 1024,
          description:
            'Largest request body that streams to the provider (files, sound, large forms), in bytes. A larger one is answered with 413.',
        }),
        maxSpoolBytes: t.Integer({
          default: 1024 ** 3,
          minimum: 0,
          description:
            'A body that streams is kept in a file of the data folder, up to so many bytes, where the config of the call has retries or fallbacks; a larger one is sent once. 0 keeps none.',
        }),
        bodyTimeoutMs: milliseconds(
          60_000,
          'A client has this long to send its body, and for each piece of one that streams.',
        ),
        maxConcurrentCalls: t.Integer({
          default: 10_000,
          minimum: 1,
          description: 'Calls in flight at once. One more is answered with 503.',
        }),
        keepAliveMs: milliseconds(
          15_000,
          'A silent stream gets a comment this often, so that nothing on the way closes it.',
        ),
        cors: t.Object(
          {
            origins: t.Array(t.String({ pattern: '^(?:\\*|[a-z][a-z0-9+.-]*://[^/?#*\\s]+)$' }), {
              default: [],
              description:
                'Origins whose pages may read answers, such as `https://app.example`; `*` for every one. Without any, browsers are told nothing.',
            }),
            headers: t.Array(t.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }), {
              default: ['*'],
              description: 'Request headers that such a page may send; `*` for whichever it asks for.',
            }),
            maxAgeSeconds: t.Integer({
              default: 600,
              minimum: 0,
              description: 'A browser may remember the answer to its preflight for so long. Seconds.',
            }),
          },
          { ...section, description: 'Leave for pages in browsers to call Weir: see [cors](#cors).' },
        ),
        drainDelayMs: milliseconds(
          0,
          'After SIGTERM, not ready but still serving, so that a load balancer can notice.',
        ),
        drainTimeoutMs: milliseconds(
          30_000,
          'After SIGTERM, running calls may last this long; then they get an error.',
        ),
      },
      section,
    ),
    deadlines: t.Object(
      {
        connectMs: milliseconds(5_000, 'Until a provider accepts the connection; then 503.'),
        firstByteMs: milliseconds(60_000, 'Until a provider begins to answer; then 504.'),
        idleMs: milliseconds(60_000, 'Between two pieces of an answer; then 504, or an error event in a stream.'),
        totalMs: milliseconds(
          900_000,
          'For a whole call, but for bytes that pass; then 504, or an error event in a stream.',
        ),
      },
      section,
    ),
    resilience: ResilienceSettings,
    egress: t.Object(
      {
        trustedHosts: t.Array(t.String(), {
          default: [],
          description:
            'Private hosts that calls may reach: host, host:port, address or CIDR block. WEIR_TRUSTED_HOSTS adds to them.',
        }),
      },
      section,
    ),
    limits: t.Object(
      {
        storeTimeoutMs: t.Integer({
          default: 40,
          minimum: 5,
          maximum: 5_000,
          description:
            'A rate limit waits this long for Redis; then each policy’s `on_store_failure` decides. Milliseconds.',
        }),
        maxGroups: t.Integer({
          default: 100_000,
          minimum: 1,
          maximum: 10_000_000,
          description: 'Groups that one rate limits policy tells apart in one window; more share one.',
        }),
        leases: t.Boolean({
          default: true,
          description:
            'Calls of limits and budgets that are far from full go ahead without asking Redis: each process charges a little ahead, in the background.',
        }),
      },
      section,
    ),
    records: RecordsSettings,
    files: FilesSettings,
    batches: BatchesSettings,
    secrets: SecretsSettings,
    metrics: t.Object(
      {
        port: t.Optional(
          t.Integer({
            minimum: 0,
            maximum: 65535,
            description:
              'Serves `/metrics` on a port of its own, without a key: to be reached by Prometheus alone. WEIR_METRICS_PORT wins over it. Absent: only with an organisation key, on the port of the calls.',
          }),
        ),
        host: t.String({ default: '127.0.0.1', description: 'Address of that port. WEIR_METRICS_HOST wins over it.' }),
      },
      section,
    ),
    jwt: t.Optional({
      ...JwtSettings,
      description: 'Tokens of an issuer of yours, accepted in the place of API keys.',
    }),
    controlPlane: t.Object(
      {
        refusedGraceMs: milliseconds(
          3_600_000,
          'A data plane whose credentials the control plane refuses serves on for so long, by the last configuration; then its keys end.',
        ),
      },
      section,
    ),
    signIn: SignInSettings,
    plugins: t.Array(PluginEntry, {
      default: ['defaults'],
      description:
        'What runs. `defaults` stands for every built-in plugin, `mock` only where Weir is tried; a plugin not listed does not run.',
    }),
  },
  { additionalProperties: false, $id: 'weir.config' },
)

export type OperatorConfig = Static<typeof OperatorConfig>

/** What a config file may hold: all of it is optional. */
export type OperatorConfigInput = {
  readonly [Section in keyof OperatorConfig]?: Section extends 'server'
    ? Partial<Omit<Server, 'cors'>> & { readonly cors?: Partial<Server['cors']> }
    : Section extends 'records'
      ? Partial<Omit<Records, 'spool'>> & { readonly spool?: Partial<Records['spool']> }
      : Section extends 'signIn'
        ? SignInInput
        : OperatorConfig[Section] extends readonly unknown[]
          ? OperatorConfig[Section]
          : Partial<OperatorConfig[Section]>
}

type Server = OperatorConfig['server']
type Records = OperatorConfig['records']

/** Types for a `weir.config.ts`: `export default defineConfig({ … })`. */
export const defineConfig = (config: OperatorConfigInput): OperatorConfigInput => config
