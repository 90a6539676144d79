import { defineEndpoint, type Endpoint, type EndpointDefinition, formBody, maybe, t } from '#kit'

/** `FileObject` of OpenAI's reference ("Files", read 2026-11-22). */
const FileObject = t.Object({
  id: t.String(),
  object: t.Literal('file'),
  bytes: t.Number(),
  created_at: t.Number(),
  filename: t.String(),
  purpose: t.String(),
  status: t.Optional(t.String()),
})

/** Calls about files: no model is asked, and nothing is counted. */
const aboutFiles = (definition: Omit<EndpointDefinition, 'operation'>): Endpoint =>
  defineEndpoint({
    operation: definition.id,
    form: definition.id,
    hasModel: false,
    singleTarget: true,
    isCounted: false,
    ...definition,
  })

export const createFile = aboutFiles({
  id: 'file-create',
  described: {
    operationId: 'createFile',
    summary: 'Keep a file: with the provider of the call, or with Weir where none is named.',
  },
  routes: [{ method: 'POST', path: '/files' }],
  requestTypes: ['uploadFile'],
  body: formBody(
    t.Object({
      purpose: t.String({ minLength: 1 }),
      expires_after: maybe(t.Object({ anchor: maybe(t.Unknown()), seconds: maybe(t.Unknown()) })),
    }),
    {
      file: { required: true },
    },
  ),
  answer: { kind: 'json', schema: FileObject },
  replay: 'spooled',
})

export const listFiles = aboutFiles({
  id: 'file-list',
  described: { operationId: 'listFiles', summary: 'List files.' },
  routes: [{ method: 'GET', path: '/files' }],
  requestTypes: ['listFiles'],
  body: { kind: 'none' },
  answer: { kind: 'json', schema: t.Object({ object: t.Literal('list'), data: t.Array(FileObject) }) },
})

export const readFile = aboutFiles({
  id: 'file-info',
  described: { operationId: 'retrieveFile', summary: 'Show a file.' },
  routes: [{ method: 'GET', path: '/files/:file_id' }],
  requestTypes: ['retrieveFile'],
  body: { kind: 'none' },
  answer: { kind: 'json', schema: FileObject },
})

export const deleteFile = aboutFiles({
  id: 'file-delete',
  described: { operationId: 'deleteFile', summary: 'Delete a file.' },
  routes: [{ method: 'DELETE', path: '/files/:file_id' }],
  requestTypes: ['deleteFile'],
  body: { kind: 'none' },
  answer: { kind: 'json', schema: t.Object({ id: t.String(), object: t.Literal('file'), deleted: t.Boolean() }) },
})

export const downloadFile = aboutFiles({
  id: 'file-content',
  described: { operationId: 'downloadFile', summary: 'Read the content of a file, or a range of its bytes.' },
  routes: [{ method: 'GET', path: '/files/:file_id/content' }],
  requestTypes: ['retrieveFileContent'],
  body: { kind: 'none' },
  answer: { kind: 'bytes' },
})

export const fileEndpoints: readonly Endpoint[] = [createFile, listFiles, readFile, deleteFile, downloadFile]
