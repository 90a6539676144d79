export { type ClickhousePlace, namesOf } from './names.ts'
export { type ClickhouseReaderOptions, openClickhouseReader } from './reader.ts'
export { type ClickhouseWriterOptions, openClickhouseWriter } from './writer.ts'
