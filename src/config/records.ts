import { Type as t } from '@sinclair/typebox'
import { BODY_POLICIES } from '../core/log-settings.ts'

const days = (defaultDays: number, description: string) =>
  t.Integer({ default: defaultDays, minimum: 1, maximum: 3650, description: `${description} Days.` })

const CLICKHOUSE_NAME = '^[A-Za-z_][A-Za-z0-9_-]*$'

/** What is kept of calls where organisations, workspaces and keys do not say. */
export const RecordsSettings = t.Object(
  {
    bodies: t.Union(
      BODY_POLICIES.map((policy) => t.Literal(policy)),
      {
        default: 'all',
        description:
          'Whether requests and answers are kept, sealed: of no call, of calls that failed, or of all. `none` wins over whatever organisations, workspaces, keys and calls say.',
      },
    ),
    retentionDays: days(30, 'Records of calls are kept for so long, where their workspace does not say.'),
    bodyRetentionDays: days(7, 'Requests and answers are, where their workspace does not say.'),
    clickhouse: t.Object(
      {
        database: t.String({
          default: 'weir',
          pattern: CLICKHOUSE_NAME,
          description: 'Database of the tables. Made where it is missing.',
        }),
        cluster: t.Optional(
          t.String({
            pattern: CLICKHOUSE_NAME,
            description:
              'Cluster of the servers, as their configuration names it: rows lie in tables that end in `_local` on its servers, those without are `Distributed` over them.',
          }),
        ),
        replicated: t.Boolean({
          default: false,
          description: 'Tables are `Replicated…`: the servers need a Keeper, and the macros `{shard}` and `{replica}`.',
        }),
      },
      {
        default: {},
        additionalProperties: false,
        description: 'Where ClickHouse has the records, when CLICKHOUSE_URL is set: see [ClickHouse](#clickhouse).',
      },
    ),
    spool: t.Object(
      {
        maxBytes: t.Integer({
          default: 2 * 1024 ** 3,
          minimum: 64 * 1024 ** 2,
          description:
            'Records that wait for their store take so many bytes of disk. From three quarters of it on, requests and answers are left out.',
        }),
        durability: t.Union([t.Literal('group'), t.Literal('strict')], {
          default: 'group',
          description:
            'With `group` the disk is synced every 10 ms: a loss of power costs what came since, the death of the process nothing. With `strict` an answer ends only when its record is on the disk.',
        }),
        onFull: t.Union([t.Literal('drop'), t.Literal('refuse')], {
          default: 'drop',
          description:
            'When no more records can wait: `drop` the oldest ones, and count them, or `refuse` new calls with 503.',
        }),
      },
      {
        default: {},
        additionalProperties: false,
        description: 'How records wait for their store: see [spool](#spool).',
      },
    ),
  },
  { default: {}, additionalProperties: false },
)
