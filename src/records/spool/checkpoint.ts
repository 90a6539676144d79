import { closeSync, constants, fdatasyncSync, openSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenedCall } from '../../core/records.ts'
import type { Placed } from '../store.ts'
import { isCode, writeAll } from './segment-files.ts'

/** What must be known of segments that are gone. */
export interface Checkpoint {
  /** All before is in the store, or was set aside. */
  readonly position: number
  /** Calls that were open there. */
  readonly opened: readonly Placed<OpenedCall>[]
}

/** The batch that is being stored. After a crash the same comes again, so that a store knows it. */
export interface Plan {
  readonly from: number
  readonly to: number
}

const CHECKPOINT = 'checkpoint.json'
const PLAN = 'plan.json'

/** @throws where the file is there and cannot be read: nothing may be stored twice */
export const readCheckpoint = (folder: string): Checkpoint => {
  const read = readJson(join(folder, CHECKPOINT))
  return isCheckpoint(read) ? read : { position: 0, opened: [] }
}

export const writeCheckpoint = (folder: string, checkpoint: Checkpoint): void =>
  writeJson(join(folder, CHECKPOINT), checkpoint)

export const readPlan = (folder: string): Plan | undefined => {
  const read = readJson(join(folder, PLAN))
  return isPlan(read) ? read : undefined
}

export const writePlan = (folder: string, plan: Plan): void => writeJson(join(folder, PLAN), plan)

const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (thrown) {
    if (isCode(thrown, 'ENOENT') || thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

/** Whole or not at all, whenever the process dies. */
const writeJson = (path: string, value: unknown): void => {
  const unfinished = `${path}.new`
  const file = openSync(unfinished, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600)
  try {
    writeAll(file, new TextEncoder().encode(JSON.stringify(value)))
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
}

const isCheckpoint = (read: unknown): read is Checkpoint =>
  typeof read === 'object' &&
  read !== null &&
  'position' in read &&
  Number.isSafeInteger(read.position) &&
  'opened' in read &&
  Array.isArray(read.opened)

const isPlan = (read: unknown): read is Plan =>
  typeof read === 'object' &&
  read !== null &&
  'from' in read &&
  'to' in read &&
  Number.isSafeInteger(read.from) &&
  Number.isSafeInteger(read.to)
