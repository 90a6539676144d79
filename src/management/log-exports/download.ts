import type { Static } from '@sinclair/typebox'
import { ManagementForbidden, ManagementNotFound } from '../../errors/gateway-error.ts'
import { findExport, type LogExport } from '../../store/objects/log-exports.ts'
import { isUuid } from '../../store/objects/rows.ts'
import type { ManagementCall } from '../route.ts'
import type { LogExportsDeps } from './deps.ts'
import type { FileQuery } from './model.ts'

export const PATH = '/logs/exports/:exportId'

/** A path of this gateway that gives the file to whoever has it, for ten minutes. */
export const signedPath = async (
  { exports: { links, basePath } }: Pick<LogExportsDeps, 'exports'>,
  { id, organisationId }: LogExport,
): Promise<string> => `${basePath}/v1/logs/exports/${id}/file?${await links.sign(organisationId, id)}`

/** The file, to be kept by nobody on the way. */
export const downloadFile = async (
  { db, params, query }: Pick<ManagementCall<unknown, Static<typeof FileQuery>>, 'db' | 'params' | 'query'>,
  { exports: { links, files } }: Pick<LogExportsDeps, 'exports'>,
): Promise<Response> => {
  const { exportId = '' } = params
  const found = isUuid(exportId) ? await findExport(db, exportId) : undefined
  // Nobody learns from the answer whether there is such an export.
  const isGood =
    found !== undefined && (await links.isGood(found.organisationId, found.id, query.expires, query.signature))
  if (!isGood) throw new ManagementForbidden('The link has expired, or was changed.')
  if (found.status !== 'success' || found.fileId === null) throw new ManagementNotFound('The file was removed.')
  const { format } = found
  return new Response(files.read(found), {
    headers: {
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl',
      'content-disposition': `attachment; filename="logs-${found.id}.${format}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
