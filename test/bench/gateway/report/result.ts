import type { EffortName } from '../effort.ts'
import type { Finding } from '../summary/measurement.ts'
import type { Verdict } from '../summary/targets.ts'
import type { Machine } from './machine.ts'

/** A whole run: the JSON file. */
export interface Result {
  /** Of this form; another one cannot be compared with. */
  readonly version: 1
  readonly command: string
  readonly effort: EffortName
  readonly machine: Machine
  readonly verdicts: readonly Verdict[]
  readonly findings: readonly Finding[]
  /** What was asked for and could not be measured. */
  readonly gaps: readonly Gap[]
}

export interface Gap {
  readonly experiment: string
  readonly lane?: string
  readonly reason: string
}

/** @throws Error when the file is none of these */
export const readResult = async (file: string): Promise<Result> => {
  const result = (await Bun.file(file).json()) as Result
  if (result.version !== 1) throw new Error(`${file} is not the result of a benchmark of this form`)
  return result
}
