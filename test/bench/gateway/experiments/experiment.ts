import type { Lane } from '../lanes.ts'
import type { Notebook } from '../summary/measurement.ts'
import type { World } from '../world.ts'

/** Where an experiment gets what it needs, and puts what it found. */
export interface Bench {
  readonly world: World
  readonly notebook: Notebook
  /** Opens the lanes of these names that were asked for. One that cannot run is told, and left out. */
  openEach<Opened>(names: readonly string[], open: (lane: Lane) => Promise<Opened>): Promise<Opened[]>
  /**
   * Every round measures each of the contestants, and the next round begins with another one: what changes on the machine
   * over time meets all of them, and none is always the one behind the same other. One that fails is told, and takes no
   * further part.
   */
  inRounds<Contestant extends { readonly lane: Lane }>(
    contestants: readonly Contestant[],
    measure: (contestant: Contestant, round: number) => Promise<void>,
  ): Promise<void>
  /** Measures all at the same time: for what does not depend on how much of the machine each of them gets. */
  atOnce<Contestant extends { readonly lane: Lane }, Found>(
    contestants: readonly Contestant[],
    measure: (contestant: Contestant) => Promise<Found>,
  ): Promise<Found[]>
}

export interface Experiment {
  readonly name: string
  /** Title of its table. */
  readonly title: string
  /** What the reader of the table must know. */
  readonly about: string
  /** What varies within it: the head of that column. */
  readonly settings?: string
  /** Asks programs that other experiments ask in the same way: they stay, warm as they are, while the next one does so too. */
  readonly sharesPrograms?: true
  /** Lanes that it measures. */
  readonly lanes: readonly string[]
  run(bench: Bench): Promise<void>
}
