import { type Static, Type as t } from '@sinclair/typebox'
import type { LogExport } from '../../store/objects/log-exports.ts'
import { EXPORT_FORMATS, EXPORT_STATES } from '../../store/schema/log-exports.ts'
import { DateTime, Description, nullable, Uuid, WorkspaceReference } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { furtherRecordFilters, optionalRange, recordFilters } from '../record-filters.ts'
import { answerOf } from '../resource/answer.ts'
import { EXPORT_FIELDS } from './format.ts'

/** Bodies and answers of exports of logs (interface contract, section 5.4). */

/** Most rows of one export. */
export const MAX_ROWS = 50_000

const Filters = t.Object({
  workspace_slug: t.Optional(
    t.String({ minLength: 1, maxLength: 255, description: 'Not looked at: see `workspace_id`.' }),
  ),
  ...optionalRange,
  ...recordFilters,
  ...furtherRecordFilters,
  page_size: t.Integer({ minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS, description: 'Rows at the most.' }),
  current_page: t.Integer({ minimum: 0, maximum: 100, default: 0, description: 'Pages of that size before it.' }),
})
export type ExportFilters = Static<typeof Filters>

const RequestedData = t.Array(t.Union(EXPORT_FIELDS.map((field) => t.Literal(field))), {
  minItems: 1,
  maxItems: EXPORT_FIELDS.length,
  uniqueItems: true,
  description: 'Fields of a row. `request` and `response` need `logs.view`.',
})
const Format = t.Union(EXPORT_FORMATS.map((format) => t.Literal(format)))

export const NewExport = t.Object({
  workspace_id: WorkspaceReference,
  description: t.Optional(Description),
  filters: Filters,
  requested_data: RequestedData,
  format: { ...Format, default: 'jsonl' as const },
})
export type NewExportBody = Static<typeof NewExport>

export const ExportChange = t.Object({
  workspace_id: WorkspaceReference,
  description: t.Optional(nullable(Description)),
  filters: t.Optional(Filters),
  requested_data: t.Optional(RequestedData),
  format: t.Optional(Format),
})
export type ExportChangeBody = Static<typeof ExportChange>

export const NoBody = t.Object({})
export const ListExports = t.Object({ workspace_id: WorkspaceReference, ...pageQuery(50, 100) })

const kind = t.Literal('export')
export const ExportReceipt = t.Object({ id: Uuid, total: t.Integer({ minimum: 0 }), object: kind })
export const ExportMessage = t.Object({ message: t.String(), object: kind })
export const SignedUrl = t.Object({
  signed_url: t.String({ description: 'A path of this gateway that anybody may download from for ten minutes.' }),
})

export const FileQuery = t.Object({
  expires: t.Integer({ minimum: 0, description: 'Seconds since 1970.' }),
  signature: t.String({ minLength: 1, maxLength: 100 }),
})

export const FileContent = t.String({ description: 'A line for each row: JSON, or CSV with a head.' })

const count = t.Integer({ minimum: 0 })
const time = nullable(DateTime)

export const exportAnswer = answerOf<LogExport>()(
  {
    id: Uuid,
    organisation_id: Uuid,
    workspace_id: Uuid,
    status: t.Union(EXPORT_STATES.map((state) => t.Literal(state))),
    description: nullable(t.String()),
    filters: t.Record(t.String(), t.Unknown()),
    requested_data: t.Array(t.String()),
    format: Format,
    total: { ...count, description: 'Rows that fitted when it was made or last changed.' },
    rows: { ...count, description: 'Rows that are in the file by now.' },
    bytes: count,
    error: nullable(t.String({ description: 'Why it failed.' })),
    owner_id: t.String(),
    created_at: DateTime,
    last_updated_at: DateTime,
    started_at: time,
    ended_at: time,
    expires_at: nullable({ ...DateTime, description: 'Its file is removed then.' }),
    object: kind,
  },
  { requested_data: ({ requestedData }) => [...requestedData] },
)
