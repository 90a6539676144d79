import type { LogsDeps } from '../logs/deps.ts'
import type { ExportFiles } from './files.ts'
import type { ExportLinks } from './links.ts'

export interface LogExportsDeps extends Pick<LogsDeps, 'now' | 'records' | 'retentionDays'> {
  readonly exports: {
    readonly files: ExportFiles
    readonly links: ExportLinks
    /** The operator's prefix, before paths. */
    readonly basePath: string
    /** Says that there may be something to run. */
    wake(): void
  }
}
