/** How much is measured. */
export interface Effort {
  readonly rounds: number
  /** Of one load in one round. Whole seconds. */
  readonly seconds: number
  /** At least, of a load whose p99 is of interest: below some thousand requests it is chance. Whole seconds. */
  readonly tailSeconds: number
  /**
   * At least, of paced streams in one round. A stream takes two seconds: in three, each of them begins once more, and none
   * twice, whichever began first.
   */
  readonly streamSeconds: number
  readonly warmUpSeconds: number
  /** Of the memory experiment: after so many requests memory is looked at, and again after so many. */
  readonly memoryRequests: readonly [number, number]
  /** Ways to stream: the pace of a model, and then all at once. */
  readonly streamCourses: 1 | 2
  readonly openStreams: number
  readonly stalledReaders: number
  /** Milliseconds that memory gets to settle before it is looked at. */
  readonly settleMs: number
  readonly manyKeys: number
}

export const EFFORTS = {
  /** What is published: about half an hour. */
  full: {
    rounds: 5,
    seconds: 2,
    tailSeconds: 4,
    streamSeconds: 3,
    warmUpSeconds: 5,
    memoryRequests: [100_000, 1_000_000],
    streamCourses: 2,
    openStreams: 5_000,
    stalledReaders: 1_000,
    settleMs: 1_500,
    manyKeys: 100_000,
  },
  /** `bench:quick`: the one table that matters, in less than a minute. */
  quick: {
    rounds: 3,
    seconds: 1,
    tailSeconds: 1,
    streamSeconds: 1,
    warmUpSeconds: 2,
    memoryRequests: [5_000, 50_000],
    streamCourses: 1,
    openStreams: 500,
    stalledReaders: 100,
    settleMs: 1_000,
    manyKeys: 100_000,
  },
  /** Whether the program works, and nothing else. */
  tiny: {
    rounds: 1,
    seconds: 1,
    tailSeconds: 1,
    streamSeconds: 1,
    warmUpSeconds: 1,
    memoryRequests: [1_000, 4_000],
    streamCourses: 2,
    openStreams: 100,
    stalledReaders: 20,
    settleMs: 500,
    manyKeys: 2_000,
  },
} as const satisfies Readonly<Record<string, Effort>>

export type EffortName = keyof typeof EFFORTS
