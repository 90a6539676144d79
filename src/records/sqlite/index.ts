export { openSqliteReader, type SqliteReaderOptions } from './reader.ts'
export { openSqliteWriter, type SqliteWriterOptions } from './writer.ts'
