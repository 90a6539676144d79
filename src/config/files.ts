import { type Static, Type as t } from '@sinclair/typebox'

const section = { default: {}, additionalProperties: false }

/** What workspaces may keep with Weir. */
export const FilesSettings = t.Object(
  {
    maxBytes: t.Integer({
      default: 1024 ** 3,
      minimum: 1,
      description: 'Largest file that Weir keeps. One larger than `server.maxSpoolBytes` does not reach it. Bytes.',
    }),
    workspaceBytes: t.Integer({
      default: 100 * 1024 ** 3,
      minimum: 1,
      description: 'All files of a workspace together. Bytes.',
    }),
    workspaceFiles: t.Integer({ default: 10_000, minimum: 1, description: 'Files of a workspace.' }),
  },
  { ...section, description: 'What workspaces may keep with Weir: see [files.md](files.md).' },
)

export type FilesConfig = Readonly<Static<typeof FilesSettings>>

/** How batches run that Weir runs itself. */
export const BatchesSettings = t.Object(
  {
    parallel: t.Integer({
      default: 25,
      minimum: 1,
      maximum: 1_000,
      description: 'Lines that each process asks at once, of all batches together.',
    }),
    retries: t.Integer({
      default: 3,
      minimum: 0,
      maximum: 20,
      description:
        'A line that failed for a reason that may pass (408, 409, 429, 5xx) is asked again so many times, each later than the one before. One of a batch of 24 hours may wait for its limits besides.',
    }),
    reserve: t.Number({
      default: 0.2,
      minimum: 0,
      maximum: 0.95,
      description:
        'Batches of 24 hours wait while their limits have less than this part of them left: it is for live calls.',
    }),
    maxLines: t.Integer({ default: 50_000, minimum: 1, maximum: 1_000_000, description: 'Lines of one batch.' }),
    workspaceBatches: t.Integer({
      default: 100,
      minimum: 1,
      description: 'Batches of a workspace that have not ended.',
    }),
    retentionDays: t.Integer({
      default: 90,
      minimum: 1,
      maximum: 3650,
      description: 'Batches are forgotten so long after they have ended; their files are not. Days.',
    }),
  },
  { ...section, description: 'How batches run that Weir runs itself: see [batches.md](batches.md).' },
)

export type BatchesConfig = Readonly<Static<typeof BatchesSettings>>
