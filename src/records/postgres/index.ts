export { openPostgresReader, type PostgresReaderOptions } from './reader.ts'
export { openPostgresWriter, type PostgresWriterOptions } from './writer.ts'
