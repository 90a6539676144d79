import { defined } from '../../core/defined.ts'
import { ManagementConflict } from '../../errors/gateway-error.ts'
import { type LogExport, logExportRows, startExport } from '../../store/objects/log-exports.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import { authorOf } from '../actor.ts'
import { WorkspaceQuery } from '../fields.ts'
import { inWorkspace } from '../resource/reach.ts'
import { entryOf, resource } from '../resource/resource.ts'
import { type AnyRoute, defineRoute, type ManagementCall } from '../route.ts'
import type { LogExportsDeps } from './deps.ts'
import { downloadFile, PATH, signedPath } from './download.ts'
import { hasBodies } from './format.ts'
import {
  ExportChange,
  type ExportFilters,
  ExportMessage,
  ExportReceipt,
  exportAnswer,
  FileContent,
  FileQuery,
  ListExports,
  NewExport,
  NoBody,
  SignedUrl,
} from './model.ts'
import { toQuestion, totalOf } from './question.ts'

/** Most exports that a workspace can have. */
const MAX_EXPORTS = 1_000

const entry = entryOf('log_exports', 'log_export')

const exports = resource({
  ...inWorkspace(logExportRows, 'export'),
  tag: 'Log exports',
  path: PATH,
  scopes: () => ['logs.export'],
  entry,
  answer: exportAnswer,
  query: WorkspaceQuery,
})

type Call = Pick<ManagementCall<unknown, unknown>, 'db' | 'require'>

/** Files of logs, made in the background (interface contract, section 5.4). */
export const logExportsRoutes = (deps: LogExportsDeps): readonly AnyRoute[] => {
  const counted = async (call: Call, place: WorkspacePlace, filters: ExportFilters, fields: readonly string[]) => {
    mayRead(call, fields)
    return totalOf(deps, toQuestion(deps, place, filters))
  }
  return [
    exports.list({ summary: 'List the exports of a workspace, the newest first', query: ListExports }),
    exports.create({
      summary: 'Make an export of logs; nothing is written before it is started',
      body: NewExport,
      response: ExportReceipt,
      async run(call, place) {
        const { description, filters, requested_data: requestedData, format } = call.body
        const total = await counted(call, place, filters, requestedData)
        const { total: others } = await logExportRows.list(call.db, place, { limit: 1, offset: 0 })
        if (others >= MAX_EXPORTS) {
          throw new ManagementConflict(`The workspace has ${MAX_EXPORTS} exports already: delete some.`)
        }
        const { actor } = call
        const by = { keyId: actor.id, ownerId: authorOf(actor) }
        const row = { ...place, ...by, filters, requestedData, format, total, description: description ?? null }
        return logExportRows.insert(call.db, row)
      },
      receipt: toReceipt,
    }),
    exports.read({ summary: 'Show an export, and how far it has come' }),
    exports.update({
      summary: 'Change an export that does not run',
      body: ExportChange,
      response: ExportReceipt,
      async run(call, found) {
        refuseWhile(found, ['in_progress', 'success'], 'changed')
        const { description, filters = found.filters as ExportFilters, format, requested_data } = call.body
        const requestedData = requested_data ?? found.requestedData
        const total = await counted(call, found, filters, requestedData)
        const changes = defined({ description, filters, requestedData, format, total })
        return (await logExportRows.update(call.db, { id: found.id, ...changes, keyId: call.actor.id })) ?? found
      },
      receipt: toReceipt,
    }),
    exports.delete({
      summary: 'Delete an export with its file',
      async run({ db }, found) {
        refuseWhile(found, ['in_progress'], 'deleted')
        await logExportRows.remove(db, found.id)
      },
    }),
    exports.act({
      verb: 'start',
      method: 'POST',
      path: '/start',
      summary: 'Start an export, or start one that has ended anew',
      body: NoBody,
      bodyOptional: true,
      response: ExportMessage,
      async run(call, found) {
        refuseWhile(found, ['in_progress', 'success'], 'started')
        mayRead(call, found.requestedData)
        const question = toQuestion(deps, found, found.filters as ExportFilters)
        const started = await startExport(call.db, found.id, question)
        deps.exports.wake()
        return started ?? found
      },
      receipt: () => ({ message: 'The export was started.', object: 'export' }),
    }),
    exports.act({
      verb: 'cancel',
      method: 'POST',
      path: '/cancel',
      summary: 'Stop an export that runs',
      body: NoBody,
      bodyOptional: true,
      response: ExportMessage,
      async run({ db }, found) {
        refuseWhile(found, ['draft', 'success', 'failed', 'stopped'], 'cancelled')
        const ended = { endedAt: new Date(deps.now()), claimedBy: null, claimedUntil: null }
        const stopped = { id: found.id, status: 'stopped', fileId: null, ...ended } as const
        return (await logExportRows.update(db, stopped)) ?? found
      },
      receipt: () => ({ message: 'The export was cancelled.', object: 'export' }),
    }),
    exports.read({
      path: `${PATH}/download`,
      summary: 'Get a link to the file of an export',
      response: SignedUrl,
      // No change, which runs in a transaction: the key of a link may have to be asked for, which is not to be done in one.
      audits: true,
      async show(call, found) {
        refuseWhile(found, ['draft', 'in_progress', 'failed', 'stopped'], 'downloaded')
        mayRead(call, found.requestedData)
        if (found.fileId === null) throw new ManagementConflict('The file of the export was removed: its time is over.')
        const path = await signedPath(deps, found)
        const shown = exportAnswer.of(found)
        call.audit({ ...entry('download', found), before: shown, after: shown })
        return { signed_url: path }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/file`,
      tag: 'Log exports',
      summary: 'Download the file of an export, by the link to it',
      scopes: ['logs.export'],
      plane: 'workspace',
      isPublic: true,
      changes: false,
      query: FileQuery,
      response: FileContent,
      responseType: 'application/jsonl',
      handle: (call) => downloadFile(call, deps),
    }),
  ]
}

const toReceipt = ({ id, total }: LogExport) => ({ id, total, object: 'export' as const })

/** Bodies are for those who may view logs. @throws ManagementForbidden */
const mayRead = ({ require }: Call, fields: readonly string[]): void => {
  if (hasBodies(fields)) require('logs.view')
}

const refuseWhile = (
  { status }: LogExport,
  states: readonly LogExport['status'][],
  done: 'changed' | 'deleted' | 'started' | 'cancelled' | 'downloaded',
): void => {
  if (states.includes(status)) throw new ManagementConflict(`The export is '${status}': it cannot be ${done}.`)
}
